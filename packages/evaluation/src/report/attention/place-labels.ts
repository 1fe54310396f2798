/** Names beside nodes, where they cover least of other names and nodes. */

/** A rectangle by its middle. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * For each label the first of its places that covers nothing or, where each covers something, that covers least of what
 * is taken, of the labels before it, and of what is outside the picture. The most important label comes first.
 */
export function placeLabels<Place extends Box>(
  labels: readonly (readonly Place[])[],
  taken: readonly Box[],
  picture: Box,
): Place[] {
  const occupied: Box[] = [...taken];
  return labels.map((places) => {
    const costs = places.map((place) => {
      const covered = occupied.reduce((sum, other) => sum + overlap(place, other), 0);
      return covered + 4 * (place.width * place.height - overlap(place, picture));
    });
    const best = places[costs.indexOf(Math.min(...costs))];
    occupied.push(best);
    return best;
  });
}

/** The area that two boxes share. */
export function overlap(a: Box, b: Box): number {
  const shared = (middles: number, sizes: number, smaller: number): number =>
    Math.max(0, Math.min(smaller, sizes / 2 - Math.abs(middles)));
  return (
    shared(a.x - b.x, a.width + b.width, Math.min(a.width, b.width)) *
    shared(a.y - b.y, a.height + b.height, Math.min(a.height, b.height))
  );
}
