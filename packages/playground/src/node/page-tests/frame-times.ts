/** When the page is asked for frames, by the wall clock. */

export interface FrameTimes {
  readonly count: number;
  readonly seconds: number;
  /** Frames a second. */
  readonly rate: number;
  /** Between two frames, in ms. */
  readonly median: number;
  readonly late: number;
  readonly longest: number;
}

/** Both are run in the page. */
export const startFrames = `(() => {
  const times = (globalThis.frameTimes = []);
  const note = () => {
    if (globalThis.frameTimes !== times) return;
    times.push(performance.now());
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
})()`;
export const stopFrames = `(() => {
  const times = globalThis.frameTimes;
  delete globalThis.frameTimes;
  return times;
})()`;

export function frameTimes(times: readonly number[]): FrameTimes {
  if (times.length < 2) throw new Error(`frames: expected two or more, got ${times.length}`);
  const between = times.slice(1).map((time, i) => time - times[i]);
  const sorted = between.toSorted((a, b) => a - b);
  const seconds = (times[times.length - 1] - times[0]) / 1000;
  return {
    count: between.length,
    seconds,
    rate: between.length / seconds,
    median: sorted[sorted.length >> 1],
    late: sorted[Math.floor(sorted.length * 0.95)],
    longest: sorted[sorted.length - 1],
  };
}
