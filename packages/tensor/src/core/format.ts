/** Values as text and as nested arrays. */
import type { DataArray, DType } from './dtype.ts';
import { sizeOf } from './shape.ts';
import type { Shape } from './shape.ts';

/** Numbers nested as deep as a tensor has axes; a plain number if it has none. */
export type NestedNumbers = number | readonly NestedNumbers[];

const shownPerAxis = 6;

/** Cuts row-major values into nested arrays of the given shape. */
export function nest(data: ArrayLike<number>, shape: Shape, start = 0): NestedNumbers {
  if (shape.length === 0) return data[start];
  const inner = shape.slice(1);
  const stride = sizeOf(inner);
  return Array.from({ length: shape[0] }, (_, i) => nest(data, inner, start + i * stride));
}

/** At most six entries per axis (three from each end), aligned in columns. */
export function formatValues(data: DataArray, shape: Shape, dtype: DType): string {
  if (data.length === 0) return '[]';
  const cells = shownIndices(shape).map((index) => formatNumber(data[index], dtype));
  const width = Math.max(...cells.map((cell) => cell.length));
  let next = 0;
  const block = (axis: number): string => {
    if (axis === shape.length) return cells[next++].padStart(shape.length === 0 ? 0 : width);
    const cut = shape[axis] > shownPerAxis;
    const entries = Array.from({ length: Math.min(shape[axis], shownPerAxis) }, () => block(axis + 1));
    if (cut) entries.splice(shownPerAxis / 2, 0, '…');
    const separator = axis === shape.length - 1 ? ', ' : `,\n${' '.repeat(axis + 1)}`;
    return `[${entries.join(separator)}]`;
  };
  return block(0);
}

function shownIndices(shape: Shape): number[] {
  let indices = [0];
  for (const extent of shape) {
    indices = indices.flatMap((index) => shownAlong(extent).map((i) => index * extent + i));
  }
  return indices;
}

function shownAlong(extent: number): number[] {
  const half = shownPerAxis / 2;
  const all = Array.from({ length: Math.min(extent, shownPerAxis) }, (_, i) => i);
  return extent <= shownPerAxis ? all : all.map((i) => (i < half ? i : extent - shownPerAxis + i));
}

function formatNumber(value: number, dtype: DType): string {
  if (dtype === 'bool') return value ? 'true' : 'false';
  if (dtype === 'int32' || !Number.isFinite(value) || value === 0) return String(value);
  const magnitude = Math.abs(value);
  return magnitude >= 1e5 || magnitude < 1e-4 ? value.toExponential(3) : String(Number(value.toPrecision(5)));
}

/** Rows of cells as lines of text; columns are as wide as their widest cell, and numbers stand at the right of theirs. */
export function formatTable(
  rows: readonly (readonly string[])[],
  isNumber: (column: number) => boolean,
): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const padded = (cell: string, column: number): string =>
    isNumber(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}
