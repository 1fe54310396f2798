/** typedLinear: a weight matrix per type of row. */
import { expectDType, expectIdPerRow, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { add } from '../elementwise/binary.op.ts';
import { gather } from '../gather/gather.op.ts';
import type { IndexAttrs } from '../gather/gather.op.ts';

export interface TypedLinearAttrs extends IndexAttrs {
  /** Weights are stored [types, out, in] instead of [types, in, out]. */
  readonly transposed: boolean;
}

/** y[k] = x[k]·W[type k];   dx = typedLinear(dout, Wᵀ),  dW = typedOuter(x, dout).  Inputs: x, W, ids, offsets, order. */
export const typedLinearOp = defineOp<'typedLinear', TypedLinearAttrs>({
  name: 'typedLinear',
  infer: ([x, weight], { index, transposed }) => {
    expectDType('typedLinear', 'x', x, 'float32');
    expectDType('typedLinear', 'weight', weight, 'float32');
    expectShape('typedLinear', 'x', x, [-1, -1]);
    const width = x.shape[1];
    expectShape(
      'typedLinear',
      'weight',
      weight,
      transposed ? [index.rows, -1, width] : [index.rows, width, -1],
    );
    expectIdPerRow('typedLinear', 'types', index, x);
    return [{ dtype: 'float32', shape: [x.shape[0], weight.shape[transposed ? 1 : 2]] }];
  },
  reference: ({ inputs: [x, weight, ids], outputs: [y], attrs: { transposed } }) => {
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
  },
  saves: { inputs: [0, 1], outputs: [] },
  backward: ({ dout, inputs: [x, weight], attrs: { index, transposed } }) => [
    () => applyTyped(dout, weight, index, !transposed),
    () => (transposed ? typedOuter(dout, x, index) : typedOuter(x, dout, index)),
    null,
    null,
    null,
  ],
});

/** W[t] = Σ a[k]ᵀ·b[k] over the k of type t;   da = typedLinear(b, dWᵀ),  db = typedLinear(a, dW).  Inputs: a, b, offsets, order. */
export const typedOuterOp = defineOp<'typedOuter', IndexAttrs>({
  name: 'typedOuter',
  infer: ([a, b], { index }) => {
    expectDType('typedOuter', 'a', a, 'float32');
    expectDType('typedOuter', 'b', b, 'float32');
    expectShape('typedOuter', 'a', a, [index.length, -1]);
    expectShape('typedOuter', 'b', b, [index.length, -1]);
    return [{ dtype: 'float32', shape: [index.rows, a.shape[1], b.shape[1]] }];
  },
  reference: ({ inputs: [a, b, offsets, order], outputs: [y] }) => {
    const [types, n, m] = y.shape;
    for (let t = 0; t < types; t++) {
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
  },
  saves: { inputs: [0, 1], outputs: [] },
  backward: ({ dout, inputs: [a, b], attrs: { index } }) => [
    () => applyTyped(b, dout, index, true),
    () => applyTyped(a, dout, index, false),
    null,
    null,
  ],
});

function applyTyped(x: Tensor, weight: Tensor, index: RowIndex, transposed: boolean): Tensor {
  return typedLinearOp.apply([x, weight, index.ids, index.offsets, index.order], { index, transposed })[0];
}

/** The sum over each type's rows of the outer products aᵀb: [n, i], [n, j] → [types, i, j]. */
export function typedOuter(a: Tensor, b: Tensor, types: RowIndex): Tensor {
  return typedOuterOp.apply([a, b, types.offsets, types.order], { index: types })[0];
}

/** Row k of `x` through the weight (and bias) of its type: x [n, in], weight [types, in, out], bias [types, out]. */
export function typedLinear(x: Tensor, weight: Tensor, types: RowIndex, bias?: Tensor): Tensor {
  const product = applyTyped(x, weight, types, false);
  if (!bias) return product;
  expectShape('typedLinear', 'bias', bias, [types.rows, product.shape[1]]);
  return add(product, gather(bias, types));
}
