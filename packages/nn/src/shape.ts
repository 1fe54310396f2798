/** What is asked of shapes here. */
import type { Shape } from '@flowgrad/tensor';

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((extent, axis) => extent === b[axis]);
}

/** `[2, 3]`, as shapes are written in messages. */
export function showShape(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}
