/** The loop under the references that move or broadcast values: walks a shape in order, following other strides. */
import { sizeOf } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';

/** Calls `visit(i, offset)` for each element i of `shape` in row-major order, offset following `strides`. */
export function forEachStrided(
  shape: Shape,
  strides: readonly number[],
  start: number,
  visit: (i: number, offset: number) => void,
): void {
  walk(shape, [strides], [start], (i, [offset]) => {
    visit(i, offset);
  });
}

/** The same for several arrays at once: `offsets[k]` follows `strides[k]`. */
export function walk(
  shape: Shape,
  strides: readonly (readonly number[])[],
  starts: readonly number[],
  visit: (i: number, offsets: readonly number[]) => void,
): void {
  const position = shape.map(() => 0);
  const offsets = [...starts];
  const size = sizeOf(shape);
  for (let i = 0; i < size; i++) {
    visit(i, offsets);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const wraps = position[axis] + 1 === shape[axis];
      const move = wraps ? -position[axis] : 1;
      position[axis] += move;
      for (let k = 0; k < offsets.length; k++) offsets[k] += move * strides[k][axis];
      if (!wraps) break;
    }
  }
}
