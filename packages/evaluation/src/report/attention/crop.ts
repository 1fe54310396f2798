import type { GridMap } from '@flowgrad/gridworld';
import { centreOf } from './map-shapes.ts';

export interface CropOptions {
  /** Cells left free around what is shown. */
  readonly margin: number;
  /** Cells that are shown at least, in each direction. */
  readonly least: number;
  readonly isSquare?: boolean;
}

/** Less attention than that does not widen the picture. */
const notable = 0.01;

/** The `viewBox` of a part of the map that shows the walk and all that has notable attention. */
export function cropOf(
  map: GridMap,
  walk: readonly number[],
  belts: readonly ReadonlyMap<number, number>[],
  { margin, least, isSquare = false }: CropOptions,
): string {
  const notables = belts.flatMap((belt) => [...belt].filter(([, value]) => value >= notable));
  const places = [...walk, ...notables.map(([node]) => node)].map((node) => centreOf(map, node));
  const room = map.size + 1;
  const extents = [0, 1].map((axis) => {
    const values = places.map((place) => place[axis]);
    return { low: Math.min(...values) - 0.5 - margin, high: Math.max(...values) + 0.5 + margin };
  });
  const sides = extents.map(({ low, high }) => Math.min(room, Math.max(least, high - low)));
  if (isSquare) sides.fill(Math.max(...sides));
  const starts = extents.map(({ low, high }, axis) =>
    // Centred, but not beyond the border, which lies half a cell outside.
    Math.min(Math.max((low + high - sides[axis]) / 2, -0.5), room - 0.5 - sides[axis]),
  );
  return [...starts, ...sides].map((value) => Number(value.toFixed(2))).join(' ');
}
