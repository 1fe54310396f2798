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

/** What a vertical axis has to hold: all values, and 0 if it begins there; 0 to 1 where that is nothing or 0 alone. */
export function axisRange(
  values: readonly number[],
  fromZero: boolean,
): readonly [least: number, most: number] {
  const all = fromZero ? [0, ...values] : values;
  const least = all.reduce((a, b) => Math.min(a, b), Infinity);
  const most = all.reduce((a, b) => Math.max(a, b), -Infinity);
  return least > most || (least === 0 && most === 0) ? [0, 1] : [least, most];
}

/** Round numbers in `least` … `most`, and the next one on each side: about `count` of them. */
export function axisTicks(least: number, most: number, count: number): readonly number[] {
  return linearScale([least, most], [0, 1], { ticks: count, isNice: true }).ticks;
}
