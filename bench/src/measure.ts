/** Wall-clock times of repeated runs, in milliseconds. */
export interface Timing {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
}

export interface MeasureOptions {
  /** Runs before the clock starts, for caches and the JIT. */
  readonly warmup?: number;
  readonly runs?: number;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
}

/** Times `job`, which must have finished its work when its promise settles. */
export async function measure(
  job: () => void | Promise<void>,
  { warmup = 2, runs = 10, now = () => performance.now() }: MeasureOptions = {},
): Promise<Timing> {
  if (!Number.isInteger(runs) || runs < 1) {
    throw new RangeError(`measure: runs must be a positive integer, got ${runs}`);
  }
  for (let i = 0; i < warmup; i++) await job();
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const start = now();
    await job();
    times.push(now() - start);
  }
  times.sort((a, b) => a - b);
  // The lower of the two middle runs when their number is even: a time that was really measured.
  return { median: times[(runs - 1) >> 1], min: times[0], max: times[runs - 1], runs };
}
