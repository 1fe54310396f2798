/** typedLinear: a weight matrix per type of row. */
import { expectDType, expectIdPerRow, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { add } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';

export interface TypedLinearAttrs {
  /** Weights are stored [types, out, in] instead of [types, in, out]. */
  readonly transposed: boolean;
}

/** y[k] = x[k]·W[type k];   dx = typedLinear(dout, Wᵀ),  dW = typedOuter(x, dout) */
export const typedLinearOp = defineOp({
  name: 'typedLinear',
  operands: { x: 'tensor', weight: 'tensor', types: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ x, weight, types }, { transposed }: TypedLinearAttrs) => {
    expectDType('typedLinear', 'x', x, 'float32');
    expectDType('typedLinear', 'weight', weight, 'float32');
    expectShape('typedLinear', 'x', x, [-1, -1]);
    const width = x.shape[1];
    expectShape(
      'typedLinear',
      'weight',
      weight,
      transposed ? [types.rows, -1, width] : [types.rows, width, -1],
    );
    expectIdPerRow('typedLinear', 'types', types, x);
    return { y: { dtype: 'float32', shape: [x.shape[0], weight.shape[transposed ? 1 : 2]] } };
  },
  reference: 'beside',
  saves: ['x', 'weight', 'types'],
  backward: ({ x, weight, types }, { dout: { y: dy }, attrs: { transposed } }) => ({
    x: () => applyTyped(dy, weight, types, !transposed),
    weight: () => (transposed ? typedOuter(dy, x, types) : typedOuter(x, dy, types)),
  }),
});

export const typedLinearReference: ReferenceOf<typeof typedLinearOp> = (
  { x, weight, types: { ids } },
  { y },
  { transposed },
) => {
  const [rows, width] = x.shape;
  const out = y.shape[1];
  const [rowStride, columnStride] = transposed ? [1, width] : [out, 1];
  for (let k = 0; k < rows; k++) {
    const matrix = ids.data[k] * width * out;
    for (let j = 0; j < out; j++) {
      let total = 0;
      for (let i = 0; i < width; i++) {
        total += x.data[k * width + i] * weight.data[matrix + i * rowStride + j * columnStride];
      }
      y.data[k * out + j] = total;
    }
  }
};

/** W[t] = Σ a[k]ᵀ·b[k] over the k of type t;   da = typedLinear(b, dWᵀ),  db = typedLinear(a, dW) */
export const typedOuterOp = defineOp({
  name: 'typedOuter',
  operands: { a: 'tensor', b: 'tensor', types: 'rows' },
  outputs: { y: 'tensor' },
  infer: ({ a, b, types }) => {
    expectDType('typedOuter', 'a', a, 'float32');
    expectDType('typedOuter', 'b', b, 'float32');
    expectShape('typedOuter', 'a', a, [types.length, -1]);
    expectShape('typedOuter', 'b', b, [types.length, -1]);
    return { y: { dtype: 'float32', shape: [types.rows, a.shape[1], b.shape[1]] } };
  },
  reference: 'beside',
  saves: ['a', 'b', 'types'],
  backward: ({ a, b, types }, { dout: { y: dW } }) => ({
    a: () => applyTyped(b, dW, types, true),
    b: () => applyTyped(a, dW, types, false),
  }),
});

export const typedOuterReference: ReferenceOf<typeof typedOuterOp> = (
  { a, b, types: { rows, offsets, order } },
  { y },
) => {
  const [, n, m] = y.shape;
  for (let t = 0; t < rows; t++) {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < m; j++) {
        let total = 0;
        for (let k = offsets.data[t]; k < offsets.data[t + 1]; k++) {
          total += a.data[order.data[k] * n + i] * b.data[order.data[k] * m + j];
        }
        y.data[(t * n + i) * m + j] = total;
      }
    }
  }
};

function applyTyped(x: Tensor, weight: Tensor, types: RowIndex, transposed: boolean): Tensor {
  return typedLinearOp.apply({ x, weight, types }, { transposed }).y;
}

/**
 * The sum over each type's rows of the outer products aᵀb: [n, i], [n, j] → [types, i, j].
 *
 * @example
 * typedOuter(tensor([[1, 2]]), tensor([[3]]), rowIndex([0], 1)); // [[[3], [6]]]
 */
export function typedOuter(a: Tensor, b: Tensor, types: RowIndex): Tensor {
  return typedOuterOp.apply({ a, b, types }, {}).y;
}

/**
 * Row k of `x` through the weight (and bias) of its type: x [n, in], weight [types, in, out], bias [types, out].
 *
 * @example
 * const weight = tensor([[[1], [1]], [[2], [2]]]);
 * typedLinear(ones([2, 2]), weight, rowIndex([0, 1], 2)); // [[2], [4]]
 */
export function typedLinear(x: Tensor, weight: Tensor, types: RowIndex, bias?: Tensor): Tensor {
  const product = applyTyped(x, weight, types, false);
  if (!bias) return product;
  expectShape('typedLinear', 'bias', bias, [types.rows, product.shape[1]]);
  return add(product, gather(bias, types));
}
