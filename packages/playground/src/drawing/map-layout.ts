/** Where nodes lie on a picture of some size. North is up. */
import type { Places } from './places.ts';

export interface MapLayout {
  /** Pixels between neighbouring nodes. */
  readonly cell: number;
  /** [nodes] centres, in pixels. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** The nearest node at a point of the picture, −1 where none is near. */
  nodeAt(this: void, x: number, y: number): number;
}

/** What part of the places is seen: so many times larger, and moved by so many pixels from the middle. */
export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const noZoom: Zoom = { scale: 1, x: 0, y: 0 };

/** On each side, in distances between nodes: room for the marks around nodes at the border. */
const margin = 0.3;

/** As large as it fits, in the middle, and zoomed from there. */
export function mapLayout(
  { x, y, spacing, bounds: [left, bottom, right, top], reach }: Places,
  width: number,
  height: number,
  zoom: Zoom = noZoom,
): MapLayout {
  const around = 2 * margin * spacing;
  const unit = zoom.scale * Math.min(width / (right - left + around), height / (top - bottom + around));
  const originX = width / 2 + zoom.x - (unit * (left + right)) / 2;
  // y grows to the north, a picture's to the south.
  const originY = height / 2 + zoom.y + (unit * (bottom + top)) / 2;
  const [pixelX, pixelY] = [
    Float32Array.from(x, (each) => originX + each * unit),
    Float32Array.from(y, (each) => originY - each * unit),
  ];
  return {
    // Where a part is seen, nodes grow less than the room between them.
    cell: spacing * unit * zoom.scale ** -0.4,
    x: pixelX,
    y: pixelY,
    nodeAt: (atX, atY) => {
      let [found, nearest] = [-1, Infinity];
      for (let node = 0; node < pixelX.length; node++) {
        const [dx, dy] = [Math.abs(pixelX[node] - atX), Math.abs(pixelY[node] - atY)];
        if (Math.max(dx, dy) > reach * unit || dx + dy >= nearest) continue;
        [found, nearest] = [node, dx + dy];
      }
      return found;
    },
  };
}
