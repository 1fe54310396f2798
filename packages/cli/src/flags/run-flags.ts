/** The flags that say what a run is, for the commands that make runs. */
import { resolveRun } from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import type { WorldParameters } from '@flowgrad/gridworld';
import { modelNames } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import { UsageError } from '../usage-error.ts';
import { choice, choiceFlag, integerFlag, switchFlag, valueFlag } from './flag.ts';
import type { FlagValues } from './flag.ts';
import { parseRates, parseWords } from './lists.ts';

export const parseModel = (text: string): ModelName => choice('a model', modelNames, text);
export const parseModels = (text: string): ModelName[] => parseWords(text).map(parseModel);

/** What all runs of a grid share. */
export const protocolFlags = {
  epochs: integerFlag({ about: 'epochs (default 50)', least: 1 }),
  batch: integerFlag({ about: "examples in a batch (default the paper's: 16, 4 from 64 × 64 on)", least: 1 }),
  d: integerFlag({ about: "width of the states (default the paper's: 40, 30 from 64 × 64 on)", least: 1 }),
  features: integerFlag({
    about: 'add Fourier features of the coordinates, of this many frequencies',
    least: 1,
    most: 512,
  }),
  'learning-rates': valueFlag(
    { value: '<a,b,…>', about: 'each for an equal part of the epochs (default 5e-4,4e-4,3e-4,2e-4,1e-4)' },
    parseRates,
  ),
  plan: valueFlag({ value: 'cone|dense', about: 'which rows are computed (default cone)' }, (text) =>
    choice('a value', ['cone', 'dense'], text),
  ),
};

export const deviceFlags = {
  device: choiceFlag(['auto', 'webgpu', 'wasm'], {
    about: 'auto: WebGPU on a GPU, else wasm',
    initial: 'auto',
  }),
  threads: integerFlag({ about: 'threads of wasm (default all cores)', least: 1, most: 256 }),
};

export const verboseFlag = { verbose: switchFlag('show where an unexpected error came from') };

type Protocol = Omit<RunSettings, 'group' | 'model' | 'seed' | 'shuffling'>;

/** Only what was given: defaults are the library's. */
export function protocolOf(flags: FlagValues<typeof protocolFlags>): Protocol {
  const { epochs, batch, d, features, plan } = flags;
  const rates = flags['learning-rates'];
  return {
    ...(epochs !== undefined && { epochs }),
    ...(batch !== undefined && { batch }),
    ...(d !== undefined && { options: { d } }),
    ...(features !== undefined && { features: { frequencies: features } }),
    ...(rates !== undefined && { learningRates: rates }),
    ...(plan !== undefined && { plan }),
  };
}

/** Settings from JSON text, checked. */
export function parseSettings(text: string): RunSettings {
  try {
    return resolveRun(JSON.parse(text) as RunSettings);
  } catch (error) {
    throw new UsageError(`expected the settings of a run as JSON, got: ${(error as Error).message}`);
  }
}

export type GroupSetting = string | WorldParameters;
