/** The loop under every broadcasting reference. */
import { broadcastStrides } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';
import { walk } from '../shape/strided.reference.ts';

/** Calls `visit(i, offsets)` for each output element; `offsets[k]` is where input k is read for it. */
export function forEachBroadcast(
  output: Shape,
  inputs: readonly Shape[],
  visit: (i: number, offsets: readonly number[]) => void,
): void {
  walk(
    output,
    inputs.map((shape) => broadcastStrides(shape, output)),
    inputs.map(() => 0),
    visit,
  );
}
