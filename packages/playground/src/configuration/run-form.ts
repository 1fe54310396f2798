/** The settings of runs as a form has them. */
import { flatSettings, nestedSettings, runFields, usualFeatures } from '@flowgrad/evaluation';
import { modelOptions, optionsOf } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
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
  const { frequencies = 0, waves, embeddings, ...others } = { ...flatSettings(run), ...changes };
  const features = (frequencies !== 0 || waves !== undefined) && {
    ...(frequencies !== 0 && { frequencies }),
    ...(waves !== undefined && { waves }),
    ...(embeddings !== undefined && { embeddings }),
  };
  return { model: run.model, options: {}, ...nestedSettings({ ...others, ...features }) };
}

/** The run with another model. Whether it reads places or has an embedding for each is the model's: see `usualFeatures`. */
export function withModel({ features, ...run }: RunChoice, model: ModelName): RunChoice {
  const [before, after] = [usualFeatures(run.model), usualFeatures(model)];
  const chosen = before === after ? features : after;
  return { ...run, model, ...(chosen && { features: chosen }) };
}

/** Whether a setting matters to a run: options do where its model takes them, and embeddings beside features. */
export function isTaken({ model, features }: RunChoice, name: string): boolean {
  if (name === 'embeddings') return features !== undefined;
  return !Object.hasOwn(modelOptions, name) || Object.hasOwn(optionsOf(model), name);
}
