import { useReference } from '@flowgrad/tensor/testing/vitest';
import { createConePlanner, planSize } from '@flowgrad/graph';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectPlansToAgree } from '../testing/cone-agreement.ts';
import { wideWorlds } from '../testing/random-worlds.ts';
import { modelFor } from '../testing/small-world.ts';
import { modelNames } from './catalogue.ts';

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

/** Those whose loss does not read all nodes. */
const narrow = [
  'RW-Stationary',
  'RW-Dynamic',
  'GGNN-NoAct',
  'GAT-NoAct',
  'GGNN-MulMlp',
  'GAT-MulMlp',
] as const;

it.each(narrow)(
  '%s gives the same where most of the graph is out of reach, and leaves that out',
  async (name) => {
    await expectPlansToAgree(name, closeness, runs, { worlds: wideWorlds });
    const [{ graph, sources, destinations }] = fc.sample(wideWorlds, { numRuns: 1, seed: 1 });
    const planner = createConePlanner(graph, { steps: 2, kind: modelFor(name, graph).kind });
    const { rows } = planSize(planner.plan({ sources, destinations, lossOnly: true }));
    expect(rows).toBeLessThan(2 * 20);
    planner.dispose();
  },
);
