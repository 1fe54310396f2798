/** Learning rates as functions of how far training has come. */
import { rejectUnknownOptions, TensorError } from '@flowgrad/tensor';
import { expectExtents } from '../options.ts';
import { plateau } from './plateau.ts';
import { expectRate } from './rate.ts';
import type { Schedule } from './rate.ts';

/** Rates that hold one after the other. */
export interface PiecewiseOptions {
  readonly rates: readonly number[];
  /** How many epochs each rate holds; the last one holds for ever. */
  readonly epochsEach: number;
}

/** What `schedules.cosine` takes. */
export interface CosineOptions {
  /** The rate of the first step. */
  readonly rate: number;
  /** After how many steps it has come to `end`. */
  readonly steps: number;
  /** The rate in the end: 0 unless given. */
  readonly end?: number;
}

/** What `schedules.warmUp` takes. */
export interface WarmUpOptions {
  /** How many steps the rate rises. */
  readonly steps: number;
  /** What follows. */
  readonly to: number | Schedule;
}

/** `rate` at every step. */
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

/**
 * Half a cosine from `rate` at the first step to `end` after `steps` of them, where it stays:
 * η_t = end + ½·(rate − end)·(1 + cos(π·min(t − 1, steps) / steps)), for step t = 1, 2, …
 */
function cosine(options: CosineOptions): Schedule {
  const where = 'schedules.cosine';
  rejectUnknownOptions(where, options, ['rate', 'steps', 'end']);
  const { rate, steps, end = 0 } = options;
  expectExtents(where, { steps });
  expectRate(where, 'rate', rate);
  expectRate(where, 'end', end);
  return ({ step }) => {
    const done = Math.min(step - 1, steps) / steps;
    return end + 0.5 * (rate - end) * (1 + Math.cos(Math.PI * done));
  };
}

/**
 * Rises in a straight line over the first `steps` to what `to` starts at, and goes on as `to` says, whose steps are counted
 * from there: η_t = to_1 · t / steps for t ≤ steps, else to_(t − steps).
 */
function warmUp(options: WarmUpOptions): Schedule {
  const where = 'schedules.warmUp';
  rejectUnknownOptions(where, options, ['steps', 'to']);
  const { steps, to } = options;
  expectExtents(where, { steps });
  if (typeof to !== 'function') expectRate(where, 'to', to);
  const after = typeof to === 'function' ? to : constant(to);
  return ({ step, epoch }) => after({ step: Math.max(step - steps, 1), epoch }) * Math.min(step / steps, 1);
}

/** Learning rates by how far training has come; any function of `{ step, epoch }` will do as well. */
export const schedules = { constant, piecewise, cosine, warmUp, plateau } as const;
