/** The independent numbers on a float32 backend, on both plans. */
import { createConePlanner, createDensePlanner } from '@flowgrad/graph';
import { parameters } from '@flowgrad/nn';
import { memory, scope, setBackend, valueAndGrad } from '@flowgrad/tensor';
import type { Backend, Tensor } from '@flowgrad/tensor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { graphOf, modelOf, parityModels } from './parity-file.ts';
import type { ParityFile } from './parity-file.ts';
import { relativeError } from './relative-error.ts';
import { expectPlansToAgree } from './cone-agreement.ts';
import { modelNames } from '../model/registry.ts';

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
}
