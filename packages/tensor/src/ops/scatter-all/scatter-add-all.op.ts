/** scatterAddAll: what several gathers send back to the rows they read, added in one pass. */
import type { ScatteredRows } from '../../core/gradient.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';

/** out[r] = base[r] + Σ_i Σ x_i[k] over the k with ids_i[k] = r, in this order; base may be left out */
export const scatterAddAllOp = defineOp({
  name: 'scatterAddAll',
  operands: { xs: 'tensor[]', indices: 'rows[]', base: 'tensor?' },
  outputs: { out: 'tensor' },
  infer: ({ xs: [x], indices }) => ({ out: { dtype: x.dtype, shape: x.shape.with(0, indices[0].rows) } }),
  reference: 'beside',
});

export const scatterAddAllReference: ReferenceOf<typeof scatterAddAllOp> = (
  { xs, indices, base },
  { out },
) => {
  const row = sizeOf(out.shape.slice(1));
  out.data.forEach((_, i) => {
    const [r, c] = [Math.floor(i / row), i % row];
    let total = base ? base.data[i] : 0;
    for (let term = 0; term < indices.length; term++) {
      const [x, { offsets, order }] = [xs[term], indices[term]];
      for (let k = offsets.data[r]; k < offsets.data[r + 1]; k++) total += x.data[order.data[k] * row + c];
    }
    out.data[i] = total;
  });
};

/** The sum of what is scattered, and of `base` where there is one. */
export function scatterAddAll(terms: readonly ScatteredRows[], base?: Tensor): Tensor {
  const xs = terms.map(({ rows }) => rows);
  const indices = terms.map(({ index }) => index);
  return scatterAddAllOp.apply({ xs, indices, base }, {}).out;
}
