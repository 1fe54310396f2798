import { it } from 'vitest';
import { expectPlansToAgree } from '../testing/cone-agreement.ts';
import { useFloat64 } from '../testing/use-reference.ts';
import { modelNames } from './registry.ts';

useFloat64();

it.each(modelNames)('%s gives on the cone plan what it gives on the dense plan', async (name) => {
  await expectPlansToAgree(name, { tolerance: 1e-10 }, { numRuns: 15, seed: 1 });
});
