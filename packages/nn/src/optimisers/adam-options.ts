/** What Adam and AdamW can be told, and what they make of it. */
import { rejectUnknownOptions, TensorError } from '@flowgrad/tensor';
import { expectNumber } from '../options.ts';
import { expectLimit } from './clip-by-global-norm.ts';
import { expectRate } from './rate.ts';
import type { Schedule } from './rate.ts';
import { schedules } from './schedules.ts';

/**
 * Pulls each chosen parameter p towards 0. Adam adds rate·p to its gradient, as a loss term rate·½‖p‖² would; AdamW takes
 * η·rate·p off the parameter itself.
 */
export interface WeightDecay {
  readonly rate: number;
  /** Whether the parameter of this name decays; asked once, when the optimiser is made. */
  readonly on: (name: string) => boolean;
}

/** What Adam and AdamW can be told; defaults are those of Kingma and Ba. */
export interface AdamOptions {
  readonly learningRate: number | Schedule;
  /** 0.9 unless given. */
  readonly beta1?: number;
  /** 0.999 unless given. */
  readonly beta2?: number;
  /** 1e−8 unless given. */
  readonly epsilon?: number;
  /** Unless given, none for Adam, and 0.01 on all parameters for AdamW. */
  readonly weightDecay?: WeightDecay;
  /** The largest norm of all gradients together; no clipping unless given. */
  readonly clipNorm?: number;
  /**
   * Whether the parameter of this name is a table of which a step reads some rows only: the others take their updates
   * when they are next needed, see `catchUp`. None unless given.
   */
  readonly byRow?: (name: string) => boolean;
}

export interface AdamSettings {
  readonly schedule: Schedule;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly decays: ReadonlySet<string>;
  readonly decayRate: number;
  readonly clipNorm: number | undefined;
  readonly byRow: ReadonlySet<string>;
}

const known = ['learningRate', 'beta1', 'beta2', 'epsilon', 'weightDecay', 'clipNorm', 'byRow'];

export function readAdamOptions(where: string, options: AdamOptions, names: readonly string[]): AdamSettings {
  rejectUnknownOptions(where, options, known);
  const { learningRate, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay, clipNorm, byRow } = options;
  for (const [name, value] of Object.entries({ beta1, beta2 })) {
    expectNumber(where, name, value, 'in 0 ≤ β < 1', value >= 0 && value < 1);
  }
  expectNumber(where, 'epsilon', epsilon, 'a finite number > 0', Number.isFinite(epsilon) && epsilon > 0);
  if (clipNorm !== undefined) expectLimit(where, 'clipNorm', clipNorm);
  const schedule = typeof learningRate === 'function' ? learningRate : constantRate(where, learningRate);
  const tables = readTables(where, byRow, clipNorm, names);
  return {
    schedule,
    beta1,
    beta2,
    epsilon,
    clipNorm,
    byRow: tables,
    ...readWeightDecay(where, weightDecay, names),
  };
}

function readTables(
  where: string,
  byRow: AdamOptions['byRow'],
  clipNorm: number | undefined,
  names: readonly string[],
): ReadonlySet<string> {
  if (!byRow) return new Set();
  if (clipNorm !== undefined) {
    throw new TensorError(
      where,
      'option',
      'expected clipNorm or byRow, got both (the norm of all gradients needs every row of a table)',
    );
  }
  return new Set(chosen(where, 'byRow', byRow, names));
}

/** The names that `of` chooses, at least one. */
function chosen(
  where: string,
  option: string,
  of: (name: string) => boolean,
  names: readonly string[],
): readonly string[] {
  const found = names.filter((name) => of(name));
  if (found.length > 0) return found;
  throw new TensorError(
    where,
    'option',
    `expected ${option} to choose a parameter, got none among {${names.join(', ')}}`,
  );
}

function constantRate(where: string, rate: number): Schedule {
  expectRate(where, 'learningRate', rate);
  return schedules.constant(rate);
}

function readWeightDecay(
  where: string,
  weightDecay: WeightDecay | undefined,
  names: readonly string[],
): Pick<AdamSettings, 'decays' | 'decayRate'> {
  if (!weightDecay) return { decays: new Set(), decayRate: 0 };
  rejectUnknownOptions(`${where}.weightDecay`, weightDecay, ['rate', 'on']);
  const { rate, on } = weightDecay;
  expectRate(where, 'weightDecay.rate', rate);
  const decays = new Set(chosen(where, 'weightDecay.on', on, names));
  return { decays, decayRate: rate };
}
