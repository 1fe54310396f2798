import { describe, expect, it } from 'vitest';
import type { NdArray, TensorSpec } from '../core/dtype.ts';
import { gradientTerms, partialSums, scatteredRows } from '../core/gradient.ts';
import type { Gradient } from '../core/gradient.ts';
import { defineOp } from '../core/op.ts';
import { rowIndex } from '../core/row-index.ts';
import { scope } from '../core/scope.ts';
import type { Tensor } from '../core/tensor.ts';
import { ones, tensor, zeros } from '../create/create.ts';
import { add } from '../ops/elementwise/binary.op.ts';
import { grad } from '../ops/grad/grad.ts';
import { sum } from '../ops/reduce/sum.op.ts';
import { useReference } from '../testing/vitest/use-reference.ts';

useReference();

/** y = x + Σ others, whose gradients are what a test gives. */
function total(gradients: (dy: Tensor) => Record<string, Gradient | readonly Gradient[]>) {
  return defineOp({
    name: 'total',
    operands: { x: 'tensor', others: 'tensor[]', extra: 'tensor?', index: 'rows?' },
    outputs: { y: 'tensor' },
    infer: ({ x }: { x: TensorSpec }) => ({ y: x }),
    reference: ({ x, others }, { y }) => {
      const sumAt = (list: readonly NdArray[], i: number): number =>
        list.reduce((value, { data }) => value + data[i], 0);
      y.data.forEach((_, i) => (y.data[i] = sumAt([x, ...others], i)));
    },
    // What the compiler refuses is tried here on purpose.
    backward: (_values, { dout }) => gradients(dout.y) as { x: Gradient; others: Gradient[] },
  });
}

const slopes = (gradients: Parameters<typeof total>[0], extra?: Tensor): Tensor[] => {
  const [x, a, b] = [tensor([1, 2]), tensor([3, 4]), tensor([5, 6])];
  const op = total(gradients);
  return grad(() => sum(op.apply({ x, others: [a, b], extra }, {}).y), [x, a, b]);
};

describe('a backward rule', () => {
  it('gives every tensor its gradient, those of a list in its order', async () => {
    const [dx, da, db] = slopes((dy) => ({ x: () => dy, others: [null, () => add(dy, 1)] }));
    expect(await Promise.all([dx, da, db].map((d) => d.toArray()))).toEqual([
      [1, 1],
      [0, 0],
      [2, 2],
    ]);
  });

  it('may give partial sums, scattered rows, and several terms', async () => {
    const index = rowIndex([1], 2);
    const [dx, da] = slopes((dy) => ({
      x: () => partialSums(ones([3, 2])),
      others: [() => gradientTerms([scatteredRows(tensor([7]), index), dy]), null],
    }));
    expect(await dx.toArray()).toEqual([3, 3]);
    expect(await da.toArray()).toEqual([1, 8]);
  });

  const index = (ids: readonly number[], rows: number): ReturnType<typeof rowIndex> => rowIndex(ids, rows);
  const mistakes: readonly [string, Parameters<typeof total>[0], string][] = [
    [
      'that gives too few',
      () => ({ others: [null, null] }),
      'total: backward must give x (float32 [2]) a gradient, or null, got none',
    ],
    [
      'that gives a list too few',
      () => ({ x: null, others: [null] }),
      'total: backward must give others 2 gradients, one for each, got 1',
    ],
    [
      'that misspells one',
      () => ({ x: null, others: [null, null], extras: null }),
      "total: backward gives a gradient to 'extras', expected names among {x, others, extra}",
    ],
    [
      'that gives one to an index',
      () => ({ x: null, others: [null, null], index: null }),
      "total: backward gives a gradient to 'index', expected names among {x, others, extra}",
    ],
    [
      'of one axis too many',
      () => ({ x: () => zeros([3, 2]), others: [null, null] }),
      'total: backward must give x a gradient of float32 [2], got float32 [3, 2] ' +
        '(partial sums are given as partialSums(stack))',
    ],
    [
      'of another shape',
      () => ({ x: zeros([3]), others: [null, null] }),
      'total: backward must give x a gradient of float32 [2], got float32 [3]',
    ],
    [
      'of another type',
      () => ({ x: zeros([2], { dtype: 'int32' }), others: [null, null] }),
      'total: backward must give x a gradient of float32 [2], got int32 [2]',
    ],
    [
      'of another shape in a list',
      () => ({ x: null, others: [null, zeros([1])] }),
      'total: backward must give others[1] a gradient of float32 [2], got float32 [1]',
    ],
    [
      'whose partial sums are of another shape',
      () => ({ x: () => partialSums(zeros([2])), others: [null, null] }),
      'total: backward must give x a gradient of float32 [2], got partial sums of float32 [2]',
    ],
    [
      'whose scattered rows are of another width',
      () => ({ x: () => scatteredRows(zeros([2, 7]), index([0, 1], 2)), others: [null, null] }),
      'total: backward must give x a gradient of float32 [2], got rows of float32 [2, 7] for 2 ids into 2 rows',
    ],
    [
      'whose scattered rows go elsewhere',
      () => ({ x: () => scatteredRows(zeros([1]), index([2], 3)), others: [null, null] }),
      'total: backward must give x a gradient of float32 [2], got rows of float32 [1] for 1 ids into 3 rows',
    ],
    [
      'that gives no tensor at all',
      () => ({ x: (() => 1) as unknown as Gradient, others: [null, null] }),
      'total: backward must give x a gradient of float32 [2], got number',
    ],
  ];
  it.for(mistakes)('%s is told', ([, gradients, message]) => {
    expect(() => slopes(gradients)).toThrow(message);
  });

  it('has to give a tensor that may be left out its gradient where it is not', () => {
    const given = (): Record<string, Gradient | readonly Gradient[]> => ({ x: null, others: [null, null] });
    expect(() => slopes(given)).not.toThrow();
    expect(() => slopes(given, zeros([2]))).toThrow(
      'total: backward must give extra (float32 [2]) a gradient, or null, got none',
    );
  });
});

describe('an index that a tape keeps', () => {
  it('lives until the backward pass, whoever frees it before, and not longer', async () => {
    const x = tensor([1, 2]);
    const rowsOp = defineOp({
      name: 'rowsOp',
      operands: { x: 'tensor', index: 'rows' },
      outputs: { y: 'tensor' },
      infer: ({ x: spec }) => ({ y: spec }),
      reference: ({ x: from }, { y }) => {
        y.data.set(from.data);
      },
      saves: ['index'],
      backward: ({ index }, { dout }) => ({ x: () => scatteredRows(dout.y, index) }),
    });
    const [dx] = grad(
      () =>
        scope(() => {
          const index = rowIndex([1, 1], 2);
          return sum(rowsOp.apply({ x, index }, {}).y);
        }),
      [x],
    );
    expect(await dx.toArray()).toEqual([0, 2]);
  });
});
