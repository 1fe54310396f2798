/** Learning rates as functions of how far training has come. */
import { TensorError } from '@flowgrad/tensor';
import { expectExtents, expectNumber, rejectUnknownOptions } from '../options.ts';

export interface Progress {
  /** 1 for the first update. */
  readonly step: number;
  /** As the caller gave it to `apply`, 0 for the first pass over the data. */
  readonly epoch: number | undefined;
}

/** The learning rate of an update. */
export type Schedule = (progress: Progress) => number;

export interface PiecewiseOptions {
  readonly rates: readonly number[];
  /** How many epochs each rate holds; the last one holds for ever. */
  readonly epochsEach: number;
}

const isRate = (rate: unknown): boolean => Number.isFinite(rate) && (rate as number) >= 0;

/** Raises unless `rate` can be a learning rate. */
export function expectRate(where: string, name: string, rate: number): void {
  expectNumber(where, name, rate, 'a finite number ≥ 0', isRate(rate));
}

function constant(rate: number): Schedule {
  expectRate('schedules.constant', 'rate', rate);
  return () => rate;
}

/** rates[⌊epoch / epochsEach⌋]; the paper's are 5, 4, 3, 2, 1 ×1e−4, 10 epochs each. */
function piecewise(options: PiecewiseOptions): Schedule {
  const where = 'schedules.piecewise';
  rejectUnknownOptions(where, options, ['rates', 'epochsEach']);
  const { epochsEach } = options;
  const rates = [...options.rates];
  expectExtents(where, { epochsEach, 'the number of rates': rates.length });
  for (const [i, rate] of rates.entries()) expectRate(where, `rates[${i}]`, rate);
  return ({ epoch }) => {
    if (epoch === undefined) {
      throw new TensorError(
        where,
        'option',
        'expected an epoch, got none (pass it: adam.apply(grads, { epoch }))',
      );
    }
    return rates[Math.min(Math.floor(epoch / epochsEach), rates.length - 1)];
  };
}

export const schedules = { constant, piecewise } as const;
