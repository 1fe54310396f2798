/** The settings of runs as a form has them. */
import { flatSettings, nestedSettings, runFields } from '@flowgrad/evaluation';
import { modelOptions, optionsOf } from '@flowgrad/models';
import type { Fields } from '@flowgrad/schema';
import type { RunChoice } from './configuration.ts';

/** The seed is the world's, and no frequencies are no features. */
const { seed: _, ...ofRun } = runFields;
export const formFields: Fields = {
  ...ofRun,
  frequencies: { ...ofRun.frequencies, least: 0, default: 0 },
  embeddings: { ...ofRun.embeddings, default: true },
};

/** The run with another value of one setting. */
export function withSetting(run: RunChoice, changes: object): RunChoice {
  const { frequencies = 0, embeddings, ...others } = { ...flatSettings(run), ...changes };
  const features = frequencies !== 0 && {
    frequencies,
    ...(embeddings !== undefined && { embeddings }),
  };
  return { model: run.model, options: {}, ...nestedSettings({ ...others, ...features }) };
}

/** Whether a setting matters to a run: options do where its model takes them, and embeddings beside features. */
export function isTaken({ model, features }: RunChoice, name: string): boolean {
  if (name === 'embeddings') return features !== undefined;
  return !Object.hasOwn(modelOptions, name) || Object.hasOwn(optionsOf(model), name);
}
