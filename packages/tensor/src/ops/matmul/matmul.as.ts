/** matmul: which rows or columns of the product a thread computes. The tiles are in multiply.as.ts. */
import {
  multiplyColumnsInPlace,
  multiplyColumnsPacked,
  multiplyRowsInPlace,
  multiplyRowsPacked,
} from '../../backends/wasm/assembly/multiply.as';
import { packPanels } from '../../backends/wasm/assembly/panels.as';

/** Panels start … end − 1 of B for the kernels below. */
export function matmulPack(
  start: i32,
  end: i32,
  b: usize,
  k: i32,
  m: i32,
  transposed: i32,
  panels: usize,
): void {
  packPanels(start, end, b, k, m, transposed != 0, panels);
}

/** y[n, m] = x[n, k]·B. A unit is 4 rows, or 8 columns if `byColumns`. */
export function matmulRows(
  start: i32,
  end: i32,
  x: usize,
  b: usize,
  packed: i32,
  y: usize,
  n: i32,
  k: i32,
  m: i32,
  byColumns: i32,
): void {
  const first = byColumns ? 0 : start << 2;
  const last = byColumns ? n : min(end << 2, n);
  const from = byColumns ? start << 3 : 0;
  const to = byColumns ? min(end << 3, m) : m;
  const strideX = (<usize>k) << 2;
  const strideY = (<usize>m) << 2;
  if (packed) multiplyRowsPacked(first, last, from, to, x, strideX, 0, b, k, y, strideY);
  else multiplyRowsInPlace(first, last, from, to, x, strideX, 0, b, strideY, k, y, strideY);
}

/** y[n, m] = x[k, n]ᵀ·B. A unit is 4 rows, or 8 columns if `byColumns`. */
export function matmulColumns(
  start: i32,
  end: i32,
  x: usize,
  b: usize,
  packed: i32,
  y: usize,
  n: i32,
  k: i32,
  m: i32,
  byColumns: i32,
): void {
  const first = byColumns ? 0 : start << 2;
  const last = byColumns ? n : min(end << 2, n);
  const from = byColumns ? start << 3 : 0;
  const to = byColumns ? min(end << 3, m) : m;
  const strideX = (<usize>n) << 2;
  const strideY = (<usize>m) << 2;
  if (packed) multiplyColumnsPacked(first, last, from, to, x, strideX, b, k, y, strideY);
  else multiplyColumnsInPlace(first, last, from, to, x, strideX, b, strideY, k, y, strideY);
}
