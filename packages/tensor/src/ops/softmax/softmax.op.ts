/** softmax and logSoftmax along an axis, shifted by the maximum so that nothing overflows. */
import type { NdArray, TensorSpec } from '../../core/dtype.ts';
import { expectDType, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { normaliseAxis } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { mul, sub } from '../elementwise/binary.op.ts';
import { exp } from '../elementwise/unary.op.ts';
import { sum } from '../reduce/sum.op.ts';
import { transpose } from '../shape/permute.op.ts';

/** y_i = e^x_i / Σ_j e^x_j over the last axis;   dx = y ⊙ (dout − Σ dout ⊙ y) */
export const softmaxOp = defineOp({
  name: 'softmax',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }) => inferRows('softmax', x),
  reference: 'beside',
  saves: ['y'],
  backward: ({ y }, { dout: { y: dy } }) => ({
    x: () => mul(y, sub(dy, sum(mul(dy, y), -1, { keepDims: true }))),
  }),
});

export const softmaxReference: ReferenceOf<typeof softmaxOp> = ({ x }, { y }) => {
  forEachRow(x, y, (shifted, total) => Math.exp(shifted) / total);
};

/** y_i = x_i − log Σ_j e^x_j over the last axis;   dx = dout − e^y Σ dout */
export const logSoftmaxOp = defineOp({
  name: 'logSoftmax',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }) => inferRows('logSoftmax', x),
  reference: 'beside',
  saves: ['y'],
  backward: ({ y }, { dout: { y: dy } }) => ({
    x: () => sub(dy, mul(exp(y), sum(dy, -1, { keepDims: true }))),
  }),
});

export const logSoftmaxReference: ReferenceOf<typeof logSoftmaxOp> = ({ x }, { y }) => {
  forEachRow(x, y, (shifted, total) => shifted - Math.log(total));
};

function inferRows(op: string, x: TensorSpec): { readonly y: TensorSpec } {
  expectDType(op, 'x', x, 'float32');
  expectRankAtLeast(op, 'x', x, 1);
  return { y: x };
}

function forEachRow(x: NdArray, y: NdArray, value: (shifted: number, total: number) => number): void {
  const n = x.shape.at(-1)!;
  for (let start = 0; start < x.data.length; start += n) {
    let top = -Infinity;
    for (let i = start; i < start + n; i++) top = Math.max(top, x.data[i]);
    let total = 0;
    for (let i = start; i < start + n; i++) total += Math.exp(x.data[i] - top);
    for (let i = start; i < start + n; i++) y.data[i] = value(x.data[i] - top, total);
  }
}

function along(op: typeof softmaxOp | typeof logSoftmaxOp, x: Tensor, axis: number): Tensor {
  if (x.rank === 0 || normaliseAxis(op.name, axis, x.rank) === x.rank - 1) return op.apply({ x }, {}).y;
  return transpose(op.apply({ x: transpose(x, axis, -1) }, {}).y, axis, -1);
}

/**
 * Positive values that add up to 1 along `axis`.
 *
 * @example
 * softmax(tensor([[0, 0], [3, 3]])); // [[0.5, 0.5], [0.5, 0.5]]
 */
export function softmax(x: Tensor, axis = -1): Tensor {
  return along(softmaxOp, x, axis);
}

/**
 * The logarithm of softmax, exact where softmax itself would round to 0.
 *
 * @example
 * logSoftmax(tensor([0, 0])); // [-0.6931, -0.6931]
 */
export function logSoftmax(x: Tensor, axis = -1): Tensor {
  return along(logSoftmaxOp, x, axis);
}
