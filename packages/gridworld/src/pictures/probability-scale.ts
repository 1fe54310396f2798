/** Whether colours follow a value itself or its logarithm. */
export type ProbabilityScaleName = 'linear' | 'log';

/** Less than that share of the largest value cannot be told from none on the linear scale. */
const leastLinearShare = 1 / 200;
/** Keeps the logarithmic scale's lowest value, whose logarithm is rounded, on it. */
const rounding = 1e-9;

/** From an amount of probability, or of attention, to a place on a scale of colours. */
export interface ProbabilityScale {
  /** The value at its end. */
  readonly end: number;
  /** Where a value lies between none (0) and the end (1): at most 1, −1 below the scale. */
  positionOf(this: void, value: number): number;
  /** What the legend writes at places of the scale. */
  readonly ticks: readonly { readonly position: number; readonly label: string }[];
}

/** Where a scale begins and ends, and what is written at it. */
export interface ProbabilityScaleOptions {
  /** 1 unless given. */
  readonly end?: number;
  /** How far below its end the logarithmic scale reaches, in powers of ten; 4 unless given. */
  readonly decades?: number;
  /** Between the ticks of the linear scale; 4 unless given. */
  readonly intervals?: number;
}

/** The one scale of all pictures: maps, the report and the playground. */
export function probabilityScale(
  name: ProbabilityScaleName,
  { end = 1, decades = 4, intervals = 4 }: ProbabilityScaleOptions = {},
): ProbabilityScale {
  const isLog = name === 'log';
  const least = isLog ? -rounding : leastLinearShare;
  const steps = Array.from({ length: (isLog ? decades : intervals) + 1 }, (_, step) => step);
  return {
    end,
    positionOf: (value) => {
      const share = value / end;
      const position = isLog ? 1 + Math.log10(share) / decades : share;
      return position >= least ? Math.min(1, Math.max(0, position)) : -1;
    },
    ticks: steps.map((step) =>
      isLog
        ? { position: step / decades, label: labelOf(end * 10 ** (step - decades)) }
        : { position: step / intervals, label: labelOf((step / intervals) * end) },
    ),
  };
}

function labelOf(value: number): string {
  if (value === 0 || value >= 1e-3) return String(Number(value.toPrecision(2)));
  return value.toExponential(0);
}

/** Which of `count` colours stands for a position on the scale. */
export function colorLevel(position: number, count: number): number {
  return Math.min(count - 1, Math.floor(position * count));
}
