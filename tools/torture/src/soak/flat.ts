/** Whether a series of measurements stays where it is. */

/** What there is after a round, when all garbage has been collected. */
export interface Round {
  /** Resident memory. */
  readonly mebibytes: number;
  /** Of tensors. */
  readonly buffers: number;
  /** What would keep the process alive, of files, sockets, workers and timers. */
  readonly handles: number;
}

export interface Growth {
  /** Median of the second quarter, by when everything has been loaded once, and of the last. */
  readonly settled: number;
  readonly last: number;
  /** Per round, between the middles of the two. */
  readonly perRound: number;
}

export function growthOf(series: readonly number[]): Growth {
  const quarter = Math.floor(series.length / 4);
  const settled = median(series.slice(quarter, 2 * quarter));
  const last = median(series.slice(series.length - quarter));
  return { settled, last, perRound: (last - settled) / (2 * quarter) };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
