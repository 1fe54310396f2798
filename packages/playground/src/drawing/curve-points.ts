import { linearScale } from '@flowgrad/evaluation';

/** Points of a curve, by ascending x. */
export type Points = readonly (readonly [x: number, y: number])[];

/** At most about `columns` points: the means of equal stretches, which also calm the noise of single batches. */
export function thin(points: Points, columns: number): Points {
  const stretch = Math.ceil(points.length / Math.max(1, Math.floor(columns / 2)));
  if (stretch <= 1) return points;
  const made: [number, number][] = [];
  for (let first = 0; first < points.length; first += stretch) {
    const part = points.slice(first, first + stretch);
    const mean = (of: 0 | 1): number => part.reduce((sum, point) => sum + point[of], 0) / part.length;
    made.push([mean(0), mean(1)]);
  }
  return made;
}

/** Round numbers in `least` … `most`, and the next one on each side: about `count` of them. */
export function axisTicks(least: number, most: number, count: number): readonly number[] {
  return linearScale([least, most], [0, 1], { ticks: count, isNice: true }).ticks;
}
