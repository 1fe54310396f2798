/** Reductions run over one block of neighbouring axes: any tensor is [outer, n, inner] to them. */
import type { Shape } from '../../core/shape.ts';
import { sizeOf } from '../../core/shape.ts';

export interface ReduceAttrs {
  /** Neighbouring axes, ascending, at least one. */
  readonly axes: readonly number[];
}

export interface Collapsed {
  readonly outer: number;
  readonly n: number;
  readonly inner: number;
}

/** The shape as [outer, n, inner], with `axes` as n. */
export function collapse(shape: Shape, axes: Shape): Collapsed {
  const [first] = axes;
  const end = first + axes.length;
  return {
    outer: sizeOf(shape.slice(0, first)),
    n: sizeOf(shape.slice(first, end)),
    inner: sizeOf(shape.slice(end)),
  };
}

/** Splits ascending axes into runs of neighbours, last run first: the order in which they can be removed. */
export function neighbouringRuns(axes: Shape): number[][] {
  const runs: number[][] = [];
  for (const axis of [...axes].reverse()) {
    if (runs.at(-1)?.[0] === axis + 1) runs.at(-1)!.unshift(axis);
    else runs.push([axis]);
  }
  return runs;
}

export function withoutAxes(shape: Shape, axes: Shape): number[] {
  return shape.filter((_, axis) => !axes.includes(axis));
}

/** The shape with each of `axes` as 1: what broadcasts back to the original. */
export function keptAxes(shape: Shape, axes: Shape): number[] {
  return shape.map((extent, axis) => (axes.includes(axis) ? 1 : extent));
}
