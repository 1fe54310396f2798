/** linear: a product with a bias, and the gradient of its weights as partial sums. */
import { expectDType, expectShape } from '../../core/expect.ts';
import { partialSums } from '../../core/gradient.ts';
import type { PartialSums } from '../../core/gradient.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { Tensor } from '../../core/tensor.ts';
import { matmul } from '../matmul/matmul.op.ts';

/** y = x·W + b;   dx = dout·Wᵀ,  dW = xᵀ·dout,  db = Σ dout,  for x [n, k], W [k, m], b [m] */
export const linearOp = defineOp({
  name: 'linear',
  operands: { x: 'tensor', weight: 'tensor', bias: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x, weight, bias }) => {
    for (const [name, tensor] of Object.entries({ x, weight, bias })) {
      expectDType('linear', name, tensor, 'float32');
    }
    expectShape('linear', 'x', x, [-1, -1]);
    const [n, k] = x.shape;
    expectShape('linear', 'weight', weight, [k, -1]);
    const m = weight.shape[1];
    expectShape('linear', 'bias', bias, [m]);
    return { y: { dtype: 'float32', shape: [n, m] } };
  },
  reference: 'beside',
  saves: ['x', 'weight'],
  backward: ({ x, weight }, { dout, needs }) => {
    const gradients = needs.weight || needs.bias ? linearWeightGrad([x], dout.y) : null;
    return {
      x: () => matmul(dout.y, weight, { transposeB: true }),
      weight: gradients?.dweight ?? null,
      bias: gradients?.dbias ?? null,
    };
  },
});

export const linearReference: ReferenceOf<typeof linearOp> = ({ x, weight, bias }, { y }) => {
  const [n, m] = y.shape;
  const k = x.shape[1];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      let total = bias.data[j];
      for (let l = 0; l < k; l++) total += x.data[i * k + l] * weight.data[l * m + j];
      y.data[i * m + j] = total;
    }
  }
};

/** So many rows are summed by themselves, unless that makes too many slices to add up. */
const rowsPerSlice = 512;
const mostSlices = 16;

/** How n rows are cut: by their number alone, so that sums are the same everywhere. */
export function slicesOfRows(n: number): { readonly slices: number; readonly depth: number } {
  const depth = Math.max(rowsPerSlice, Math.ceil(n / mostSlices));
  return { slices: Math.max(1, Math.ceil(n / depth)), depth };
}

/**
 * dW[s] = [x₀ : x₁ : …]ᵀ·dout,   db[s] = Σ dout, each over the rows of slice s: partial sums, which the tape adds up.
 * x comes in up to three parts [n, kᵢ], dout is [n, m], dW [slices, Σkᵢ, m], db [slices, m].
 */
export const linearWeightGradOp = defineOp({
  name: 'linearWeightGrad',
  operands: { xs: 'tensor[]', dy: 'tensor' },
  outputs: { dweight: 'tensor', dbias: 'tensor' },
  infer: ({ xs, dy }) => {
    const [n, m] = dy.shape;
    const k = xs.reduce((total, { shape }) => total + shape[1], 0);
    const { slices } = slicesOfRows(n);
    return {
      dweight: { dtype: 'float32', shape: [slices, k, m] },
      dbias: { dtype: 'float32', shape: [slices, m] },
    };
  },
  reference: 'beside',
});

export const linearWeightGradReference: ReferenceOf<typeof linearWeightGradOp> = (
  { xs, dy },
  { dweight, dbias },
) => {
  const [n, m] = dy.shape;
  const k = dweight.shape[1];
  const { slices, depth } = slicesOfRows(n);
  dweight.data.fill(0);
  dbias.data.fill(0);
  for (let slice = 0; slice < slices; slice++) {
    for (let row = slice * depth; row < Math.min((slice + 1) * depth, n); row++) {
      for (let j = 0; j < m; j++) {
        const g = dy.data[row * m + j];
        dbias.data[slice * m + j] += g;
        let l = 0;
        for (const { data, shape } of xs) {
          for (let c = 0; c < shape[1]; c++, l++) {
            dweight.data[(slice * k + l) * m + j] += data[row * shape[1] + c] * g;
          }
        }
      }
    }
  }
};

/** Partial sums of the gradients of W and b in [x₀ : x₁ : …]·W + b. */
export function linearWeightGrad(
  xs: readonly Tensor[],
  dy: Tensor,
): { readonly dweight: PartialSums; readonly dbias: PartialSums } {
  const { dweight, dbias } = linearWeightGradOp.apply({ xs, dy }, {});
  return { dweight: partialSums(dweight), dbias: partialSums(dbias) };
}

/**
 * x·W + b: x [n, k], weight [k, m], bias [m] → [n, m].
 *
 * @example
 * linear(tensor([[1, 2]]), tensor([[1, 0], [0, 1]]), tensor([10, 20])); // [[11, 22]]
 */
export function linear(x: Tensor, weight: Tensor, bias: Tensor): Tensor {
  return linearOp.apply({ x, weight, bias }, {}).y;
}
