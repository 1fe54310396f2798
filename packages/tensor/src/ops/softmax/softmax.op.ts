/** softmax and logSoftmax along an axis, shifted by the maximum so that nothing overflows. */
import type { KernelCall } from '../../core/backend.ts';
import type { NdArray, TensorSpec } from '../../core/dtype.ts';
import { expectDType, expectRankAtLeast } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { NoAttrs, Op } from '../../core/op.ts';
import { normaliseAxis } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { mul, sub } from '../elementwise/binary.op.ts';
import { exp } from '../elementwise/unary.op.ts';
import { sum } from '../reduce/sum.op.ts';
import { transpose } from '../shape/permute.op.ts';

/** y_i = e^x_i / Σ_j e^x_j over the last axis;   dx = y ⊙ (dout − Σ dout ⊙ y) */
export const softmaxOp = defineOp({
  name: 'softmax',
  infer: ([x]) => inferRows('softmax', x),
  reference: (call) => {
    forEachRow(call, (shifted, total) => Math.exp(shifted) / total);
  },
  saves: { inputs: [], outputs: [0] },
  backward: ({ dout, outputs: [y] }) => [() => mul(y, sub(dout, sum(mul(dout, y), -1, { keepDims: true })))],
});

/** y_i = x_i − log Σ_j e^x_j over the last axis;   dx = dout − e^y Σ dout */
export const logSoftmaxOp = defineOp({
  name: 'logSoftmax',
  infer: ([x]) => inferRows('logSoftmax', x),
  reference: (call) => {
    forEachRow(call, (shifted, total) => shifted - Math.log(total));
  },
  saves: { inputs: [], outputs: [0] },
  backward: ({ dout, outputs: [y] }) => [() => sub(dout, mul(exp(y), sum(dout, -1, { keepDims: true })))],
});

function inferRows(op: string, x: TensorSpec): TensorSpec[] {
  expectDType(op, 'x', x, 'float32');
  expectRankAtLeast(op, 'x', x, 1);
  return [x];
}

function forEachRow(
  { inputs: [x], outputs: [y] }: KernelCall<NdArray, NoAttrs>,
  value: (shifted: number, total: number) => number,
): void {
  const n = x.shape.at(-1)!;
  for (let start = 0; start < x.data.length; start += n) {
    let top = -Infinity;
    for (let i = start; i < start + n; i++) top = Math.max(top, x.data[i]);
    let total = 0;
    for (let i = start; i < start + n; i++) total += Math.exp(x.data[i] - top);
    for (let i = start; i < start + n; i++) y.data[i] = value(x.data[i] - top, total);
  }
}

function along(op: Op<string, NoAttrs>, x: Tensor, axis: number): Tensor {
  if (x.rank === 0 || normaliseAxis(op.name, axis, x.rank) === x.rank - 1) return op.apply([x], {})[0];
  return transpose(op.apply([transpose(x, axis, -1)], {})[0], axis, -1);
}

/** Positive values that add up to 1 along `axis`. */
export function softmax(x: Tensor, axis = -1): Tensor {
  return along(softmaxOp, x, axis);
}

/** The logarithm of softmax, exact where softmax itself would round to 0. */
export function logSoftmax(x: Tensor, axis = -1): Tensor {
  return along(logSoftmaxOp, x, axis);
}
