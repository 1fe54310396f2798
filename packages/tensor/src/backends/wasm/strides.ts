/** Walks over several arrays at once, with as few axes as their layouts allow. */
import type { Shape } from '../../core/shape.ts';

/** One axis of a walk: how far it goes, and how far each array moves along it. */
export interface WalkAxis {
  extent: number;
  readonly strides: readonly number[];
}

/** Axes from the outermost to the innermost; neighbours that all arrays walk through evenly are one axis. */
export function mergeAxes(shape: Shape, strides: readonly (readonly number[])[]): WalkAxis[] {
  const merged: WalkAxis[] = [];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const extent = shape[axis];
    if (extent === 1) continue;
    const inner = merged.at(-1);
    if (inner && strides.every((own, k) => own[axis] === inner.strides[k] * inner.extent)) {
      inner.extent *= extent;
    } else {
      merged.push({ extent, strides: strides.map((own) => own[axis]) });
    }
  }
  return merged.reverse();
}

/** Rows of a walk over contiguous output, for kernels that compute row by row. */
export interface RowWalk {
  readonly rows: number;
  /** Values in a row; the last one ends at `total`. */
  readonly n: number;
  readonly total: number;
  /** How far each operand moves along a row: 0 or 1. */
  readonly steps: readonly number[];
  /** Extent and strides of every outer axis, innermost first. */
  readonly axes: number;
  readonly table: readonly number[];
}

/** A single axis is cut into rows of this many values. */
const rowLength = 1024;

/** Along a single axis, on which each operand moves by its step. */
export function lineWalk(total: number, steps: readonly number[]): RowWalk {
  const rows = Math.ceil(total / rowLength);
  const table = [rows, ...steps.map((step) => step * rowLength)];
  return { rows, n: rowLength, total, steps, axes: 1, table };
}

export function rowWalk(shape: Shape, strides: readonly (readonly number[])[]): RowWalk {
  const axes = mergeAxes(shape, strides);
  const inner = axes.pop() ?? { extent: 1, strides: strides.map(() => 0) };
  if (axes.length === 0) return lineWalk(inner.extent, inner.strides);
  const rows = axes.reduce((product, { extent }) => product * extent, 1);
  return {
    rows,
    n: inner.extent,
    total: rows * inner.extent,
    steps: inner.strides,
    axes: axes.length,
    table: tableOf(axes),
  };
}

export function tableOf(axes: readonly WalkAxis[]): number[] {
  return axes.toReversed().flatMap(({ extent, strides }) => [extent, ...strides]);
}
