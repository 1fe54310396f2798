/** The largest difference, relative to the largest value of either, or to `floor` if that is larger. */
export function relativeError(a: ArrayLike<number>, b: ArrayLike<number>, floor = 0): number {
  if (a.length !== b.length) return Infinity;
  let error = 0;
  let scale = floor;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i] - b[i]);
    if (Number.isNaN(difference)) return Infinity;
    error = Math.max(error, difference);
    scale = Math.max(scale, Math.abs(a[i]), Math.abs(b[i]));
  }
  return error === 0 ? 0 : error / scale;
}
