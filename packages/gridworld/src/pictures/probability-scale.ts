import { expectOneOf } from '@flowgrad/tensor';
/** Whether colours follow a value itself or its logarithm. */
export type ProbabilityScaleName = 'linear' | 'log';

/** How far below the largest value the logarithmic scale reaches. */
const DECADES = 4;
/** Less than that share of the largest value cannot be told from none on the linear scale. */
const LEAST_LINEAR_SHARE = 1 / 200;

export interface ProbabilityScale {
  /** [nodes] where each value lies between none (0) and the largest (1); −1 below the scale. */
  readonly positions: Float64Array;
  /** Where another value lies on the same scale: at most 1, −1 below it. */
  readonly positionOf: (value: number) => number;
  /** What the legend writes at places of the scale. */
  readonly ticks: readonly { readonly position: number; readonly label: string }[];
}

/** Up to the largest of the values, unless another end is given. */
export function probabilityScale(
  values: ArrayLike<number>,
  name: ProbabilityScaleName,
  end?: number,
): ProbabilityScale {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    if (!(values[i] >= 0 && values[i] < Infinity)) {
      throw new RangeError(
        `mapSvg: expected distribution[${i}] to be a number of at least 0, got ${values[i]}`,
      );
    }
    largest = Math.max(largest, values[i]);
  }
  if (end !== undefined) largest = end;
  const positions = Float64Array.from(values, positionOf);
  switch (expectOneOf('mapSvg', 'scale', name, ['linear', 'log'])) {
    case 'linear':
      return {
        positions,
        positionOf,
        ticks: [0, 0.25, 0.5, 0.75, 1].map((position) => tick(position, position * largest)),
      };
    case 'log':
      return {
        positions,
        positionOf,
        ticks: [0, 1, 2, 3, 4].map((step) => tick(step / DECADES, largest * 10 ** (step - DECADES))),
      };
  }

  function positionOf(value: number): number {
    const share = value / largest;
    const position = name === 'log' ? 1 + Math.log10(share) / DECADES : share;
    return position >= (name === 'log' ? 0 : LEAST_LINEAR_SHARE) ? Math.min(1, position) : -1;
  }
}

function tick(position: number, value: number): { position: number; label: string } {
  const label =
    value === 0 ? '0' : value >= 1e-3 ? String(Number(value.toPrecision(2))) : value.toExponential(0);
  return { position, label };
}
