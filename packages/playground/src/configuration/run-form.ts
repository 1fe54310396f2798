/** The settings of runs as a form has them. */
import {
  featureFields,
  flatSettings,
  nestedSettings,
  runFields,
  suitedOptions,
  usualFeatures,
} from '@flowgrad/evaluation';
import { modelOptions, optionsOf, takesQueries } from '@flowgrad/models';
import type { FlatSettings } from '@flowgrad/evaluation';
import type { ModelName } from '@flowgrad/models';
import { labelOf } from '@flowgrad/schema';
import type { Fields, Naming } from '@flowgrad/schema';
import { isSameTwice } from './configuration.ts';
import type { Configuration, RunChoice } from './configuration.ts';

/** The seed is the world's, and no frequencies are no features. */
const { seed: _, ...ofRun } = runFields;
export const formFields: Fields = {
  ...ofRun,
  frequencies: { ...ofRun.frequencies, least: 0, default: 0 },
  embeddings: { ...ofRun.embeddings, default: true },
};

/** `options.messageMemory` → `Message memory` */
export const labelOfPath: Naming = (path) => {
  const name = path.split('.').at(-1)!;
  return Object.hasOwn(formFields, name) ? labelOf(name, formFields[name]) : path;
};

/** What the fields of all runs show: what was chosen, and options as the first run that takes them will have them. */
export const shownSettings = (runs: readonly RunChoice[]): FlatSettings =>
  Object.assign({}, ...runs.map(settingsOf).reverse()) as FlatSettings;

function settingsOf(run: RunChoice): FlatSettings {
  const options = suitedOptions(run.model, { d: modelOptions.d.default, ...run.options });
  return flatSettings({ ...run, options });
}

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

/** What comes in place of a model that a dataset cannot have: it takes queries, and learns the page's own data best. */
const forDatasets: ModelName = 'GGNN-MulMlp';

type Data = Configuration['data'];

/** Every model is trained on any dataset, but that those of queries want a model that can be asked. */
const isSuited = ({ model }: RunChoice, data: Data): boolean =>
  !data || data.queries === 0 || takesQueries(model);

/** The configuration on another dataset, or without one on the grid world. Runs stay, but for models that do not suit it. */
export function withData(
  { data: _, source: __, query: ___, ...others }: Configuration,
  data: Data,
): Configuration {
  const runs = others.runs.map((run) => (isSuited(run, data) ? run : withModel(run, forDatasets)));
  const next = { ...others, runs, ...(data && { data }) };
  const isReplaced = !others.runs.every((run) => isSuited(run, data));
  return isReplaced ? withoutTwin(next) : next;
}

/** Without the second run, if it is the first again: there would be nothing to compare. */
export const withoutTwin = (configuration: Configuration): Configuration =>
  isSameTwice(configuration) ? { ...configuration, runs: configuration.runs.slice(0, 1) } : configuration;

/** Which models `withData` replaces, by which and why; empty if none. */
export function replacedOn(runs: readonly RunChoice[], data: Data): string {
  const names = runs.filter((run) => !isSuited(run, data)).map(({ model }) => model);
  if (!data || names.length === 0) return '';
  const [are, take] = names.length > 1 ? ['are', 'take'] : ['is', 'takes'];
  const models = names.join(' and ');
  return `${models} ${are} replaced by ${forDatasets}: the examples of ${data.name} have queries, and ${models} ${take} none.`;
}

const ofGrids = [...Object.keys(featureFields), 'worlds'];

/** Whether a setting matters to a run: options do where its model takes them, embeddings beside features, and features on grids. */
export function isTaken({ model, features }: RunChoice, name: string, isGrid = true): boolean {
  if (!isGrid && ofGrids.includes(name)) return false;
  if (name === 'embeddings') return features !== undefined;
  return !Object.hasOwn(modelOptions, name) || Object.hasOwn(optionsOf(model), name);
}
