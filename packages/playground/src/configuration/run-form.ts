/** The settings of runs as a form has them. */
import { featureFields, flatSettings, nestedSettings, runFields, usualFeatures } from '@flowgrad/evaluation';
import { modelOptions, optionsOf, takesQueries } from '@flowgrad/models';
import type { FlatSettings } from '@flowgrad/evaluation';
import type { ModelName } from '@flowgrad/models';
import type { Fields } from '@flowgrad/schema';
import type { Configuration, RunChoice } from './configuration.ts';

/** The seed is the world's, and no frequencies are no features. */
const { seed: _, ...ofRun } = runFields;
export const formFields: Fields = {
  ...ofRun,
  frequencies: { ...ofRun.frequencies, least: 0, default: 0 },
  embeddings: { ...ofRun.embeddings, default: true },
};

/** The run with another value of one setting, or without it where the value is undefined. */
export function withSetting(run: RunChoice, changes: object): RunChoice {
  const given = Object.entries({ ...flatSettings(run), ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  const { frequencies = 0, waves, embeddings, ...others } = Object.fromEntries(given) as FlatSettings;
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

/** Of datasets where a run's own is none for them: it takes queries and nothing of coordinates, and learns the page's own data best. */
const forDatasets: ModelName = 'GGNN-MulMlp';

/**
 * The configuration on another dataset, or without one on the grid world. Runs stay, but for models that read coordinates of
 * grids, or cannot be asked where something is.
 */
export function withData(
  { data: _, source: __, query: ___, ...others }: Configuration,
  data: Configuration['data'],
): Configuration {
  const isSuited = ({ model }: RunChoice): boolean =>
    !data || (!usualFeatures(model) && (data.queries === 0 || takesQueries(model)));
  const runs = others.runs.map((run) => (isSuited(run) ? run : withModel(run, forDatasets)));
  return { ...others, runs, ...(data && { data }) };
}

const ofGrids = [...Object.keys(featureFields), 'worlds'];

/** Whether a setting matters to a run: options do where its model takes them, embeddings beside features, and features on grids. */
export function isTaken({ model, features }: RunChoice, name: string, isGrid = true): boolean {
  if (!isGrid && ofGrids.includes(name)) return false;
  if (name === 'embeddings') return features !== undefined;
  return !Object.hasOwn(modelOptions, name) || Object.hasOwn(optionsOf(model), name);
}
