/** Layouts as kernels want them: as few axes as possible, at most eight. */
import { TensorError } from '../../core/errors.ts';
import type { Shape } from '../../core/shape.ts';

/** What fits into a kernel's parameters. */
const maxRank = 8;

export interface Walk {
  readonly extents: readonly number[];
  /** For each operand, how far it moves along each axis. */
  readonly strides: readonly (readonly number[])[];
}

/** Joins neighbouring axes that every operand passes in one stride, and drops axes of extent 1. */
export function mergeAxes(op: string, shape: Shape, strides: readonly (readonly number[])[]): Walk {
  const extents: number[] = [];
  const merged: number[][] = strides.map(() => []);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    if (shape[axis] === 1) continue;
    const joins = extents.length > 0 && strides.every((s, k) => s[axis] === merged[k][0] * extents[0]);
    if (joins) {
      extents[0] *= shape[axis];
    } else {
      extents.unshift(shape[axis]);
      strides.forEach((s, k) => merged[k].unshift(s[axis]));
    }
  }
  if (extents.length > maxRank) {
    throw new TensorError(
      op,
      'limit',
      `expected at most ${maxRank} axes after joining neighbours, got ${extents.length}`,
    );
  }
  return { extents, strides: merged };
}

/**
 * What four neighbours of a result, the first at a multiple of four, find in an operand that repeats along some of its
 * axes: four neighbours that begin at a multiple of four, one value, or each a place of its own.
 */
export function formOf(extents: readonly number[], strides: readonly number[]): 'four' | 'one' | 'each' {
  // Else four neighbours may lie in two rows.
  const inOneRow = extents.length < 2 || extents.at(-1)! % 4 === 0;
  if (!inOneRow) return 'each';
  return strides.at(-1) === 1 ? 'four' : 'one';
}
