/** scatterAddAll: what several gathers send back to the rows they read, added in one pass. */
import { defineOp } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';

/** Rows on their way to the rows that `index` names. */
export interface Scattered {
  readonly rows: Tensor;
  readonly index: RowIndex;
}

export interface ScatterAddAllAttrs {
  readonly indices: readonly RowIndex[];
}

/**
 * out[r] = base[r] + Σ_i Σ x_i[k] over the k with ids_i[k] = r, in this order.
 * Inputs: for each i x_i, offsets and order of index i; then base, if there is one.
 */
export const scatterAddAllOp = defineOp<'scatterAddAll', ScatterAddAllAttrs>({
  name: 'scatterAddAll',
  infer: ([x], { indices }) => [{ dtype: x.dtype, shape: x.shape.with(0, indices[0].rows) }],
  reference: ({ inputs, outputs: [out], attrs: { indices } }) => {
    const row = sizeOf(out.shape.slice(1));
    const base = inputs.at(3 * indices.length);
    out.data.forEach((_, i) => {
      const [r, c] = [Math.floor(i / row), i % row];
      let total = base ? base.data[i] : 0;
      for (let term = 0; term < indices.length; term++) {
        const [x, offsets, order] = inputs.slice(3 * term);
        for (let k = offsets.data[r]; k < offsets.data[r + 1]; k++) total += x.data[order.data[k] * row + c];
      }
      out.data[i] = total;
    });
  },
});

/** The sum of what is scattered, and of `base` where there is one. */
export function scatterAddAll(terms: readonly Scattered[], base?: Tensor): Tensor {
  const inputs = terms.flatMap(({ rows, index }) => [rows, index.offsets, index.order]);
  const indices = terms.map(({ index }) => index);
  return scatterAddAllOp.apply(base ? [...inputs, base] : inputs, { indices })[0];
}
