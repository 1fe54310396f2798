/** What a training run is: everything its numbers depend on, beside the backend. */
import { expectOneOf, rejectUnknownOptions } from '@flowgrad/tensor';
import { checkWorldParameters, parseGroupName } from '@flowgrad/gridworld';
import type { WorldParameters } from '@flowgrad/gridworld';
import { modelNames } from '@flowgrad/models';
import type { ModelName, ModelSettings } from '@flowgrad/models';

/** Fourier features of the coordinates as node inputs; see `fourierFeatures` of @flowgrad/gridworld. */
export interface RunFeatures {
  readonly frequencies: number;
  /** Whether free embeddings are added; true unless given. */
  readonly embeddings?: boolean;
}

/** Options of the model that a run may set; the others follow from its world. */
export type RunModelOptions = Pick<
  ModelSettings,
  'd' | 'weightDecay' | 'attentionChannels' | 'heads' | 'globalReduction' | 'messageMemory'
>;

/** What a person says of a run; what is left out has the paper's value. */
export interface RunSettings {
  /** A dataset group by name, `SINE-SZ32-STP16-NDRP-STD0.2`, or a world of one's own. */
  readonly group: string | WorldParameters;
  readonly model: ModelName;
  /** Of the data: map, trajectories and split. 1 unless given. */
  readonly seed?: number;
  /** Of the order of examples and of the start values. 1 unless given. */
  readonly shuffling?: number;
  readonly options?: RunModelOptions;
  readonly features?: RunFeatures;
  /** 50 unless given. */
  readonly epochs?: number;
  /** The paper's unless given: 16, and 4 in worlds of 64 × 64 and more. */
  readonly batch?: number;
  /** Each holds for an equal part of the epochs; the paper's 5, 4, 3, 2, 1 × 1e−4 unless given. */
  readonly learningRates?: readonly number[];
  /** Both give the same numbers up to rounding; 'cone', the faster one, unless given. */
  readonly plan?: 'cone' | 'dense';
}

/** Settings with every default filled in. Plain JSON. */
export interface RunConfig extends Required<Omit<RunSettings, 'features'>> {
  readonly features?: RunFeatures;
}

const keys = [
  ...['group', 'model', 'seed', 'shuffling', 'options', 'features'],
  ...['epochs', 'batch', 'learningRates', 'plan'],
];
const optionKeys = ['d', 'weightDecay', 'attentionChannels', 'heads', 'globalReduction', 'messageMemory'];
/** The paper's choices for its larger worlds. */
const large = 64;
const where = 'run';

/**
 * Checks settings and fills in every default, those of the paper: the result says all that a run's numbers depend
 * on.
 */
export function resolveRun(settings: RunSettings): RunConfig {
  rejectUnknownOptions(where, settings, keys);
  const { group, model, seed = 1, shuffling = 1, features, plan = 'cone' } = settings;
  const { epochs = 50, learningRates = [5e-4, 4e-4, 3e-4, 2e-4, 1e-4] } = settings;
  expectOneOf(where, 'model', model, modelNames);
  const { size } = typeof group === 'string' ? parseGroupName(group) : checkedWorld(group);
  const isLarge = size >= large;
  const options: RunModelOptions = { d: isLarge ? 30 : 40, ...settings.options };
  rejectUnknownOptions(`${where}: options`, options, optionKeys);
  const { batch = isLarge ? 4 : 16 } = settings;
  expectInteger('seed', seed, 0, 0xffffffff);
  expectInteger('shuffling', shuffling, 0, 0xffffffff);
  expectInteger('epochs', epochs, 1, 1e6);
  expectInteger('batch', batch, 1, 65536);
  if (features) {
    rejectUnknownOptions(`${where}: features`, features, ['frequencies', 'embeddings']);
    expectInteger('features.frequencies', features.frequencies, 1, 512);
  }
  if (learningRates.length === 0 || !learningRates.every((rate) => Number.isFinite(rate) && rate >= 0)) {
    throw new RangeError(
      `${where}: expected learningRates to be one or more numbers ≥ 0, got [${learningRates.join(', ')}]`,
    );
  }
  if (plan !== 'cone' && plan !== 'dense') {
    throw new RangeError(`${where}: expected plan to be cone or dense, got '${String(plan)}'`);
  }
  return {
    group,
    model,
    seed,
    shuffling,
    options,
    ...(features && { features }),
    epochs,
    batch,
    learningRates,
    plan,
  };
}

/** Where a world is one's own, its name becomes that of a folder. */
function checkedWorld(world: WorldParameters): WorldParameters {
  if (typeof world !== 'object' || world === null) {
    throw new TypeError(
      `${where}: expected group to be a name or the parameters of a world, got ${String(world)}`,
    );
  }
  checkWorldParameters(`${where}: group`, world);
  return world;
}

function expectInteger(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RangeError(
    `${where}: expected ${name} to be an integer in ${least}..${most}, got ${String(value)}`,
  );
}

/** The name of the run's world. */
export function worldName({ group }: Pick<RunConfig, 'group'>): string {
  return typeof group === 'string' ? group : group.name;
}

/**
 * What tells a run from others of its world, in a few words: `GGNN-MulMlp`, `RW-Stationary+fourier8`. Runs that
 * differ in nothing but seed and shuffling share it.
 */
export function variantName(config: RunConfig): string {
  const { group, model } = config;
  const defaults = resolveRun({ group, model });
  const parts: string[] = [];
  if (config.features) {
    const { frequencies, embeddings = true } = config.features;
    parts.push(`fourier${frequencies}${embeddings ? '' : 'only'}`);
  }
  for (const [key, value] of Object.entries(config.options)) {
    if (value !== defaults.options[key as keyof RunModelOptions]) parts.push(`${key}=${String(value)}`);
  }
  for (const key of ['epochs', 'batch', 'plan'] as const) {
    if (config[key] !== defaults[key]) parts.push(`${key}=${config[key]}`);
  }
  if (config.learningRates.join() !== defaults.learningRates.join()) {
    parts.push(`learningRates=${config.learningRates.join(',')}`);
  }
  return [model, ...parts].join('+');
}
