import { rowIndex } from '../../core/row-index.ts';
import { tensor } from '../../create/create.ts';
import { random } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { parameter } from '../grad/grad.ts';
import { adamRows } from './adam-rows.op.ts';

const ids = [6, 0, 3, 4];

/** Four rows of seven, of which each missed as many steps as is said, the last of them step `until`. */
function rows(
  name: string,
  width: number,
  missed: readonly number[],
  { until = 400, decay = 0, kept = 1, beta1 = 0.9, hasGradient = false } = {},
): OpCase {
  const steps = Math.max(...missed);
  const rates = Array.from({ length: steps }, (_, s) => {
    const step = until - steps + s + 1;
    return [1e-2 / (1 - beta1 ** step), 1 / (1 - 0.999 ** step), kept];
  });
  return {
    name,
    inputs: [
      random([7, width]),
      random([7, width], -0.1, 0.1),
      random([7, width], 0.001, 0.1),
      random([4, width]),
    ],
    run: ([x, m, v, g]) => {
      const [p, first, second] = [x, m, v].map(parameter);
      const gradient = hasGradient ? g : undefined;
      const index = rowIndex(ids, 7);
      adamRows(
        p,
        { first, second },
        { index, missed: tensor(missed, { dtype: 'int32' }), gradient },
        { rates: tensor(rates.flat(), { shape: [steps, 3] }), decay, beta1 },
      );
      return [p, first, second];
    },
  };
}

export const adamRowsCases = {
  adamRows: {
    tolerance: { absolute: 5e-6, relative: 2e-5 },
    cases: [
      rows('one step with a gradient', 8, [1, 1, 1, 1], { hasGradient: true }),
      rows('one step with a gradient and decay', 5, [1, 1, 1, 1], { hasGradient: true, decay: 1e-2 }),
      rows('the first step', 40, [1, 1, 1, 1], { until: 1, hasGradient: true, decay: 1e-2 }),
      rows('none, one and many missed', 40, [0, 1, 30, 7]),
      rows('none, one and many missed, with decay', 6, [0, 1, 30, 7], { decay: 1e-2 }),
      rows('missed, then a gradient', 3, [1, 12, 4, 2], { decay: 1e-3, hasGradient: true }),
      rows('missed, with what AdamW leaves', 1, [3, 9, 0, 5], { kept: 0.99 }),
      rows('hundreds missed, and nothing moves any more', 8, [390, 220, 171, 2]),
      rows('missed without a first moment', 4, [3, 2, 1, 9], { beta1: 0 }),
      rows('missed where moments never fade', 4, [3, 20, 1, 9], { beta1: 0.9999 }),
      rows('hundreds missed with decay', 8, [390, 220, 171, 2], { decay: 1e-2 }),
    ],
  },
} satisfies Record<string, OpCases>;
