import type { Tensor } from '../../core/tensor.ts';
import { large, nonFinite, random, rounding, values } from '../../testing/op-case.ts';
import type { OpCase, OpCases } from '../../testing/op-case.ts';
import { logSoftmax, softmax } from './softmax.op.ts';

const rowsWithLimits = [
  [0, 1, NaN, 2],
  [0, -Infinity, 1, 2],
  [0, 1, 2, Infinity],
  [-Infinity, -Infinity, -Infinity, -Infinity],
  [3, 2, 1, 0],
];

const cases = (run: (x: Tensor, axis?: number) => Tensor): OpCase[] => [
  { name: 'rows', inputs: [random([3, 4], -3, 3)], run: ([x]) => run(x) },
  { name: 'columns', inputs: [random([3, 4], -3, 3)], run: ([x]) => run(x, 0) },
  ...[1, 2, 3, 5, 8, 12].map((n) => ({
    name: `rows of ${n}`,
    inputs: [random([3, n], -3, 3)],
    run: ([x]: readonly Tensor[]) => run(x),
  })),
  { name: 'no rows', inputs: [random([0, 4])], run: ([x]) => run(x) },
  {
    name: 'large values',
    inputs: [values([1e4, 1e4 + 1, -1e4])],
    run: ([x]) => run(x),
    noGradient: nonFinite,
  },
  { name: 'an infinity', inputs: [values([-Infinity, 0, 1])], run: ([x]) => run(x), noGradient: nonFinite },
  { name: 'NaN', inputs: [values([NaN, 0, 1])], run: ([x]) => run(x), noGradient: nonFinite },
  {
    name: 'rows of four with NaN, an infinity or none',
    inputs: [values(rowsWithLimits.flat(), [5, 4])],
    run: ([x]) => run(x),
    noGradient: nonFinite,
  },
  { name: 'many rows', inputs: [random([1031, 17], -5, 5)], run: ([x]) => run(x), noGradient: large },
  {
    name: 'many rows of whole fours',
    inputs: [random([1031, 20], -5, 5)],
    run: ([x]) => run(x),
    noGradient: large,
  },
  {
    name: 'long rows of whole fours',
    // Only the true maximum keeps the exponentials finite.
    inputs: [random([3, 5004], -300, 300)],
    run: ([x]) => run(x),
    noGradient: large,
  },
  { name: 'long rows', inputs: [random([3, 5003], -5, 5)], run: ([x]) => run(x), noGradient: large },
];

export const softmaxCases = {
  softmax: { tolerance: rounding, cases: cases(softmax) },
  logSoftmax: { tolerance: { absolute: 1e-5, relative: 1e-5 }, cases: cases(logSoftmax) },
} satisfies Record<string, OpCases>;
