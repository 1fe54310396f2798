/** Values to positions along an axis, and the round numbers to write there. */
export interface Scale {
  readonly domain: readonly [low: number, high: number];
  readonly ticks: readonly number[];
  readonly positionOf: (value: number) => number;
}

/** How an axis is marked. */
export interface ScaleOptions {
  /** About how many ticks there is room for; 5 unless given. */
  readonly ticks?: number;
  /** Widen the domain to the next ticks. */
  readonly isNice?: boolean;
  /** Only whole numbers as ticks. */
  readonly isWhole?: boolean;
}

/** A scale from the least to the largest of the finite values, onto positions `from` … `to`. */
export function linearScale(
  values: readonly number[],
  [from, to]: readonly [number, number],
  { ticks: count = 5, isNice = false, isWhole = false }: ScaleOptions = {},
): Scale {
  let [low, high] = extentOf(values);
  const step = Math.max(isWhole ? 1 : 0, roundStep((high - low) / Math.max(1, count)));
  if (isNice) [low, high] = [step * Math.floor(low / step + 1e-9), step * Math.ceil(high / step - 1e-9)];
  const ticks: number[] = [];
  // Multiples are computed anew each time: adding the step would add its rounding too.
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) ticks.push(tidy(i * step));
  return {
    domain: [tidy(low), tidy(high)],
    ticks,
    positionOf: (value) => from + ((value - low) / (high - low)) * (to - from),
  };
}

/** Nothing to show is 0 … 1; a single value gets room on both sides. */
function extentOf(values: readonly number[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  if (low < high) return [low, high];
  const room = low === 0 ? 1 : Math.abs(low) / 2;
  return [low - room, high + room];
}

/** The least of 1, 2, 5 × 10ⁿ that is at least `step`. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5].find((factor) => factor * power >= step * (1 - 1e-9)) ?? 10);
}

const tidy = (value: number): number => Number(value.toPrecision(12));
