import type { NdArray } from '../../core/dtype.ts';
import { forEachBroadcast } from '../elementwise/broadcast.reference.ts';
import type { MatmulAttrs } from './matmul.op.ts';

/** y[.., i, j] = Σ_k A[.., i, k]·B[.., k, j] */
export function matmulLoops(
  { a, b }: { readonly a: NdArray; readonly b: NdArray },
  { y }: { readonly y: NdArray },
  attrs: MatmulAttrs,
): void {
  const [n, m] = y.shape.slice(-2);
  const k = a.shape.at(attrs.transposeA ? -2 : -1)!;
  const [rowA, columnA] = attrs.transposeA ? [1, n] : [k, 1];
  const [rowB, columnB] = attrs.transposeB ? [1, k] : [m, 1];
  const batches = [a, b].map((x) => x.shape.slice(0, -2));
  forEachBroadcast(y.shape.slice(0, -2), batches, (batch, [batchA, batchB]) => {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < m; j++) {
        let total = 0;
        for (let l = 0; l < k; l++) {
          total +=
            a.data[batchA * n * k + i * rowA + l * columnA] * b.data[batchB * k * m + l * rowB + j * columnB];
        }
        y.data[(batch * n + i) * m + j] = total;
      }
    }
  });
}
