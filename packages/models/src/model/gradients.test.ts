import { createDensePlanner } from '@flowgrad/graph';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { it } from 'vitest';
import { expectGradientsOfLoss } from '../testing/expect-gradients.ts';
import { modelFor, smallWorld } from '../testing/small-world.ts';
import { modelNames } from './catalogue.ts';

useReference({ precision: 'float64' });

it.each(modelNames)('%s has the gradients of its loss', async (name) => {
  const model = modelFor(name, smallWorld, { weightDecay: 0.1 });
  const planner = createDensePlanner(smallWorld, { steps: 3, kind: model.kind });
  // The second destination cannot be reached.
  await expectGradientsOfLoss(model, planner.plan({ sources: [0, 3], destinations: [3, 7] }));
  planner.dispose();
});
