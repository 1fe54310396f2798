import { parameter } from '../grad/grad.ts';
import { random, rounding } from '../../testing/op-case.ts';
import type { OpCases } from '../../testing/op-case.ts';
import { adamUpdate } from './adam-update.op.ts';

export const adamUpdateCases = {
  adamUpdate: {
    tolerance: rounding,
    cases: [1, 3, 1000].flatMap((step) =>
      [7, 4099].map((size) => ({
        name: `${size} values at step ${step}`,
        inputs: [random([size]), random([size]), random([size], -0.1, 0.1), random([size], 0, 0.1)],
        run: ([x, gradient, m, v]) => {
          const [p, first, second] = [x, m, v].map(parameter);
          adamUpdate(p, gradient, { first, second }, { step, learningRate: 1e-2 });
          return [p, first, second];
        },
      })),
    ),
  },
} satisfies Record<string, OpCases>;
