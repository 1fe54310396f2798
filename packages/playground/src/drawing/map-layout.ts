/** Where the cells of a world lie on a picture of some size. North is up. */
import type { GridMap } from '@flowgrad/gridworld';

export interface MapLayout {
  /** Pixels between neighbouring nodes. */
  readonly cell: number;
  /** [nodes] centres, in pixels. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** The node of the cell at a point of the picture, −1 where there is none. */
  nodeAt(this: void, x: number, y: number): number;
}

/** On each side, in cells: room for the marks around nodes at the border. */
const margin = 0.3;

/** The largest square of cells that fits, in the middle. */
export function mapLayout(map: GridMap, width: number, height: number): MapLayout {
  const { size, nodeOfCell } = map;
  const cell = Math.min(width, height) / (size + 2 * margin);
  const left = (width - cell * size) / 2;
  const top = (height - cell * size) / 2;
  return {
    cell,
    x: Float32Array.from(map.x, (x) => left + (x + 0.5) * cell),
    // y grows to the north, a picture's to the south.
    y: Float32Array.from(map.y, (y) => top + (size - 0.5 - y) * cell),
    nodeAt: (x, y) => {
      const column = Math.floor((x - left) / cell);
      const row = size - 1 - Math.floor((y - top) / cell);
      const isInside = column >= 0 && column < size && row >= 0 && row < size;
      return isInside ? nodeOfCell[row * size + column] : -1;
    },
  };
}
