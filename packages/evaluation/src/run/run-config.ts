/** What a training run is: everything its numbers depend on, beside the backend. */
import { checkWorldParameters, parseGroupName } from '@flowgrad/gridworld';
import type { WorldParameters } from '@flowgrad/gridworld';
import { modelNames, modelOptions, moduleOf } from '@flowgrad/models';
import type { ModelModule, ModelName } from '@flowgrad/models';
import { checked, fieldSchema, given, optional, record, toText, valueOf } from '@flowgrad/schema';
import type { Naming } from '@flowgrad/schema';
import * as v from 'valibot';
import { cardSchema, isCard, isSha256 } from './dataset-card.ts';
import type { DatasetCard } from './dataset-card.ts';
import {
  featureFields,
  flatSettings,
  hasPlaces,
  keepFields,
  largeWorlds,
  lessonFields,
  ownProtocols,
  protocolFields,
  seedFields,
} from './run-fields.ts';
import type { Standard } from './run-fields.ts';
import { problemOf, suitedOptions } from './run-problems.ts';

/** The group is left as it is said: a name, the parameters of a world, or the card of a dataset. */
const groupSchema = v.pipe(
  valueOf<string | WorldParameters | DatasetCard>(
    'to be a name or the parameters of a world',
    (group) => typeof group === 'string' || (typeof group === 'object' && group !== null),
  ),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    try {
      if (isCard(value)) return checked('group', cardSchema, value);
      if (typeof value !== 'string') return checkWorldParameters('group', value);
      parseGroupName(value);
      return value;
    } catch (error) {
      addIssue({ message: (error as Error).message.replace(/^parseGroupName/, 'group') });
      return NEVER;
    }
  }),
);

/** The file that has the model, of runs of one's own model; see `addModel` of @flowgrad/models. */
const moduleSchema = record({
  file: valueOf<string>('to be the name of a file', (file) => typeof file === 'string' && file.length > 0),
  sha256: valueOf<string>('to be a SHA-256', isSha256),
});

/** The settings of a run by name, as entries of a schema. */
export const runEntries = {
  group: groupSchema,
  model: fieldSchema({ kind: 'choice', choices: modelNames, about: 'a model' }),
  ...optional(seedFields),
  options: v.optional(record(given(modelOptions)), {}),
  features: v.exactOptional(record(given(featureFields))),
  epochs: v.optional(fieldSchema(protocolFields.epochs)),
  batch: v.optional(fieldSchema(protocolFields.batch)),
  learningRates: v.optional(fieldSchema(protocolFields.learningRates)),
  plan: v.optional(fieldSchema(protocolFields.plan)),
  ...given({ averaging: protocolFields.averaging, layerDecay: protocolFields.layerDecay }),
  ...given(lessonFields),
  ...given(keepFields),
  module: v.exactOptional(moduleSchema),
};
const settingsSchema = record(runEntries);

const runSchema = v.pipe(
  settingsSchema,
  v.transform(({ options, features, epochs, batch, learningRates, plan, averaging, module, ...run }) => {
    const place = placeOf(run);
    const { d, features: usual, averaging: usualAveraging, ...protocol } = standardOf(run.model, place);
    // Free embeddings beside the columns of a dataset are what it has anyway.
    const isUsual = isCard(place) && features?.embeddings !== false && !hasPlaces(features);
    const chosen = isUsual ? undefined : (features ?? usual);
    const mean = averaging ?? usualAveraging;
    return {
      ...run,
      ...withModule(module ?? moduleOf(run.model)),
      options: suitedOptions(run.model, { d, ...options }),
      ...(chosen && { features: chosen }),
      epochs: epochs ?? protocol.epochs,
      batch: batch ?? protocol.batch,
      learningRates: learningRates ?? protocol.learningRates,
      plan: plan ?? protocol.plan,
      ...(mean !== undefined && { averaging: mean }),
    };
  }),
);

/** What a person says of a run; what is left out has the paper's value. The README has a table of the settings. */
export type RunSettings = Readonly<v.InferInput<typeof settingsSchema>>;

/** Settings with every default filled in. Plain JSON. */
export type RunConfig = Readonly<v.InferOutput<typeof runSchema>>;

/** Fourier features of the coordinates as node inputs; see `fourierFeatures` of @flowgrad/gridworld. */
export type RunFeatures = NonNullable<RunSettings['features']>;

/** Options of the model that a run may set; the others follow from its world. */
export type RunModelOptions = NonNullable<RunSettings['options']>;

/**
 * Checks settings and fills in every default, those of the paper: the result says all that a run's numbers depend
 * on. Messages call settings what `nameOf` does.
 */
export function resolveRun(settings: RunSettings, nameOf: Naming = (path) => path): RunConfig {
  expectModule(settings);
  const config = checked('run', runSchema, settings, nameOf);
  const problem = problemOf(placeOf(config), config, nameOf);
  if (problem !== undefined) throw new RangeError(`run: ${problem}`);
  return config;
}

const withModule = (module: ModelModule | undefined): { readonly module?: ModelModule } =>
  module ? { module: { file: module.file, sha256: module.sha256 } } : {};

/** Throws unless the model of a run that has a module is there, and came from that very content. */
function expectModule(settings: unknown): void {
  const { model, module } = Object(settings) as Record<string, unknown>;
  if (typeof model !== 'string' || !v.is(moduleSchema, module)) return;
  const { file, sha256 } = module;
  const there = moduleOf(model);
  if (there?.sha256 === sha256) return;
  const got = there ? `${there.file}, whose content differs` : 'none (--models <file> names it)';
  throw new RangeError(
    `run: expected the module ${file} (SHA-256 ${sha256.slice(0, 12)}…), which has the model ${model}, got ${got}`,
  );
}

/** What a run has of which nothing is said: the paper's protocol, or the model's own. */
function standardOf(model: ModelName, place: WorldParameters | DatasetCard): Standard {
  const { epochs, batch, learningRates, plan } = protocolFields;
  const { d: largeD, batch: largeBatch } = largeWorlds;
  const { features, ...others } = ownProtocols[model] ?? {};
  // Features of coordinates are those of grids.
  const own = isCard(place) ? others : { ...others, ...(features && { features }) };
  return {
    d: modelOptions.d.default,
    epochs: epochs.default,
    batch: batch.default,
    learningRates: [...learningRates.default],
    plan: plan.default,
    ...(!isCard(place) && place.size >= largeWorlds.size && { d: largeD, batch: largeBatch }),
    ...own,
  };
}

const placeOf = ({
  group,
}: {
  readonly group: string | WorldParameters | DatasetCard;
}): WorldParameters | DatasetCard => (typeof group === 'string' ? parseGroupName(group) : group);

/** The name of the run's world or dataset. */
export function worldName({ group }: Pick<RunConfig, 'group'>): string {
  return typeof group === 'string' ? group : group.name;
}

/**
 * What tells a run from others of its world, in a few words: `GGNN-MulMlp`, `RW-Stationary+fourier8`. Runs that
 * differ in nothing but seed and shuffling share it.
 */
export function variantName(config: RunConfig): string {
  const { group, model, features } = config;
  const usual = resolveRun({ group, model });
  const [own, standard] = [config, usual].map(flatSettings);
  const parts = namedInVariants
    .filter((name) => toText(own[name]) !== toText(standard[name]))
    .map((name) => `${name}=${toText(own[name])}`);
  const isUsual = JSON.stringify(features) === JSON.stringify(usual.features);
  const words = features && !isUsual ? [...featureWords(features), ...parts] : parts;
  return [model, ...words].join('+');
}

/** `fourier8only`; `columnsonly` are those of a dataset. */
function featureWords({ frequencies, waves, embeddings }: RunFeatures): string[] {
  const words = [
    ...(frequencies === undefined ? [] : [`fourier${frequencies}`]),
    ...(waves === undefined ? [] : [`waves${waves}`]),
    ...(hasPlaces({ frequencies, waves }) ? [] : ['columns']),
  ];
  return words.map((word, k) => (k === words.length - 1 && embeddings === false ? `${word}only` : word));
}

/** Names of folders are made of these, in this order. */
const namedInVariants = [
  ...(Object.keys(modelOptions) as (keyof typeof modelOptions)[]),
  ...([
    'epochs',
    'batch',
    'plan',
    'learningRates',
    'averaging',
    'layerDecay',
    'share',
    'worlds',
    'keepNodes',
    'keepEdges',
  ] as const),
];
