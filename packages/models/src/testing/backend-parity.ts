/** The independent numbers on a float32 backend, on both plans. */
import { createConePlanner, createDensePlanner } from '@flowgrad/graph';
import type { CutFlow, Keep } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { memory, referenceBackend, scope, setBackend, valueAndGrad } from '@flowgrad/tensor';
import type { Backend, Tensor } from '@flowgrad/tensor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphOf, modelOf, parityModels } from './parity-file.ts';
import type { ParityFile } from './parity-file.ts';
import { wideWorlds } from './random-worlds.ts';
import { relativeError } from './relative-error.ts';
import { expectPlansToAgree } from './cone-agreement.ts';
import { modelNames } from '../model/catalogue.ts';
import { modelFor, smallWorld } from './small-world.ts';

const tolerance = 1e-4;
const planners = { dense: createDensePlanner, cone: createConePlanner };

/**
 * Each of the parity files, read by `read`, to 1e−4; both plans on so many random worlds per model; and no buffer left
 * over.
 */
export function describeBackendParity(
  open: () => Promise<Backend>,
  read: (name: string) => ParityFile,
  worlds: number,
): void {
  beforeAll(async () => void setBackend(await open()));
  afterAll(() => void setBackend(undefined));

  describe.each(parityModels)('%s', (name) => {
    const file = read(name);
    const { sources, destinations, steps } = file;
    const close = async (what: string, actual: Tensor, expected: ArrayLike<number>): Promise<void> => {
      expect(relativeError(await actual.data(), expected), what).toBeLessThan(tolerance);
    };

    it.each(Object.entries(planners))(
      'agrees with numbers computed elsewhere on the %s plan',
      async (_, create) => {
        const before = memory();
        await scope(async () => {
          const model = modelOf(file);
          const planner = create(graphOf(file), { steps, kind: model.kind });
          const { scores, attention } = model.forward(planner.plan({ sources }));
          await close('scores', scores, file.scores.flat());
          for (const [t, a] of (attention ?? []).entries()) {
            await close(`attention at ${t}`, a, file.attention![t].flat());
          }
          const plan = planner.plan({ sources, destinations, lossOnly: true });
          const { value, grads } = valueAndGrad(() => model.loss(plan));
          await close('loss', value, [file.loss]);
          for (const [parameter, p] of parameters(model)) {
            await close(parameter, grads.get(p)!, file.gradients[parameter]);
          }
          planner.dispose();
        });
        expect(memory(), 'live buffers').toEqual(before);
      },
    );
  });

  // Worlds change from run to run; a failure names its seed.
  it.each(modelNames)('%s gives on random graphs the same on both plans', async (name) => {
    const before = memory();
    await expectPlansToAgree(name, { tolerance, floor: 0.1 }, { numRuns: worlds });
    expect(memory(), 'live buffers').toEqual(before);
  });

  it.each(['missing', 'learned'] as const)('GGNN-MulMlp does so where it stops, %s', async (stopping) => {
    const settings = { stopping, worlds: wideWorlds };
    await expectPlansToAgree('GGNN-MulMlp', { tolerance, floor: 0.1 }, { numRuns: worlds }, settings);
  });

  it.each(['RW-Stationary', 'RW-Dynamic', 'GGNN-MulMlp'] as const)(
    '%s, whose attention a plan follows, keeps the same as in float64, and gives the exact bits where nothing is cut',
    async (name) => {
      const before = memory();
      const follow = (keep: Keep): Promise<{ scores: ArrayLike<number>; cut: CutFlow }> =>
        scope(async () => {
          const model = modelFor(name, smallWorld);
          const planner = createConePlanner(smallWorld, { steps: 3, kind: model.kind });
          const plan = await planner.follow({ sources: [0, 3, 5] }, model, keep);
          const scores = await model.forward(plan).scores.data();
          const exact = await model.forward(planner.plan({ sources: [0, 3, 5] })).scores.data();
          if (plan.cut.nodes.cut + plan.cut.edges.cut === 0) expect(scores).toEqual(exact);
          planner.dispose();
          return { scores, cut: plan.cut };
        });
      const keep = { nodes: 2, edges: 2 };
      const here = await follow(keep);
      expect((await follow({ nodes: 8, edges: 8 })).cut.lost).toEqual(new Float32Array(3));
      const backend = setBackend(referenceBackend({ precision: 'float64' }));
      const there = await follow(keep).finally(() => void setBackend(backend));
      expect({ ...here.cut, lost: [] }).toEqual({ ...there.cut, lost: [] });
      expect(here.cut.nodes.cut).toBeGreaterThan(0);
      expect(relativeError(here.cut.lost, there.cut.lost)).toBeLessThan(tolerance);
      expect(relativeError(here.scores, there.scores)).toBeLessThan(tolerance);
      expect(memory(), 'live buffers').toEqual(before);
    },
  );
}
