import { useReference } from '@flowgrad/tensor/testing/vitest';
import { it } from 'vitest';
import { expectPlansToAgree } from '../testing/cone-agreement.ts';
import { modelNames } from './registry.ts';

useReference({ precision: 'float64' });

// Gradients that cancel, such as that of a bias all edges of a sender share, are rounding errors on either plan.
const closeness = { tolerance: 1e-10, floor: 1e-3 };
const runs = { numRuns: 15, seed: 1 };

it.each(modelNames)('%s gives on the cone plan what it gives on the dense plan', async (name) => {
  await expectPlansToAgree(name, closeness, runs);
});

it('RW-Dynamic does so with a mean over all nodes, whichever have rows', async () => {
  await expectPlansToAgree('RW-Dynamic', closeness, runs, { globalReduction: 'mean' });
});
