/** The flags that say what a run is, for the commands that make runs. */
import { resolveRun } from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import { modelNames } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import { mostThreads } from '@flowgrad/tensor/node';
import { UsageError } from '../usage-error.ts';
import { choice, choiceFlag, integerFlag, switchFlag } from './flag.ts';
import type { Flag } from './flag.ts';
import { parseWords } from './lists.ts';

export const parseModel = (text: string): ModelName => choice('a model', modelNames, text);
export const parseModels = (text: string): ModelName[] => parseWords(text).map(parseModel);

export const threadsFlag = (about: string): Flag<number | undefined> =>
  integerFlag({ about, least: 1, most: mostThreads });

export const deviceFlags = {
  device: choiceFlag(['auto', 'webgpu', 'wasm'], {
    about: 'auto: WebGPU on a GPU, else wasm',
    initial: 'auto',
  }),
  threads: threadsFlag('threads of wasm (default all cores)'),
};

export const verboseFlag = { verbose: switchFlag('show where an unexpected error came from') };

/** Settings from JSON text, checked. */
export function parseSettings(text: string): RunSettings {
  try {
    return resolveRun(JSON.parse(text) as RunSettings);
  } catch (error) {
    throw new UsageError(`expected the settings of a run as JSON, got: ${(error as Error).message}`);
  }
}
