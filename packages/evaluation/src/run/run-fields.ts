/** The settings of a run as plain data: checks, flags, forms, links and tables are made of these entries. */
import { modelOptions } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import { flagName } from '@flowgrad/schema';
import type { Fields } from '@flowgrad/schema';

/** Both seeds. */
export const seedFields = {
  seed: { kind: 'seed', default: 1, about: 'seed of the data: map, trajectories and split' },
  shuffling: {
    kind: 'seed',
    default: 1,
    about: 'seed of the order of examples and of the start values',
  },
} as const satisfies Fields;

/** Features of the coordinates as node inputs; see `fourierFeatures` and `planeWaves` of @flowgrad/gridworld. */
export const featureFields = {
  frequencies: {
    kind: 'integer',
    least: 1,
    most: 512,
    label: 'Fourier features',
    about: 'add Fourier features of the coordinates, of this many frequencies',
  },
  waves: {
    kind: 'integer',
    least: 1,
    most: 32,
    label: 'Plane waves',
    about: 'add plane waves over the coordinates, so many along each axis',
  },
  embeddings: { kind: 'switch', about: 'whether free embeddings are added to the features (default true)' },
} as const satisfies Fields;

/** How a model is trained. */
export const protocolFields = {
  epochs: { kind: 'integer', least: 1, most: 1e6, default: 50, about: 'passes over the training pairs' },
  batch: { kind: 'integer', least: 1, most: 65536, default: 16, about: 'examples in a batch' },
  learningRates: {
    kind: 'numbers',
    default: [5e-4, 4e-4, 3e-4, 2e-4, 1e-4],
    about: 'each for an equal part of the epochs',
  },
  plan: {
    kind: 'choice',
    choices: ['cone', 'dense'],
    default: 'cone',
    about: 'which rows are computed; both give the same numbers up to rounding',
  },
  averaging: {
    kind: 'number',
    least: 0,
    most: 0.9999,
    label: 'Averaging',
    about: 'β of a running mean of the parameters, which is evaluated and kept in their place',
  },
  layerDecay: {
    kind: 'number',
    least: 0,
    most: 10,
    label: 'Decay of layers',
    about:
      'λ by which the weights of all layers shrink beside each step, by λ times the learning rate (AdamW)',
  },
} as const satisfies Fields;

/** What a run learns from, where that is not the training pairs of its own world. */
export const lessonFields = {
  share: {
    kind: 'number',
    least: 0.001,
    most: 1,
    label: 'Share of sources',
    about: 'learn from this share of the training sources alone',
  },
  worlds: {
    kind: 'integer',
    least: 1,
    most: 64,
    label: 'Worlds',
    about: 'learn from the worlds of so many seeds, from that of the run on',
  },
} as const satisfies Fields;

/** Pruned flow: what of the attention is carried on at each step, by training and predictions alike. */
export const keepFields = {
  keepNodes: {
    kind: 'integer',
    least: 1,
    most: 1e6,
    label: 'Nodes kept',
    about: 'carry on the attention of the so many nodes that have most of it, at each step; of explicit flow',
  },
  keepEdges: {
    kind: 'integer',
    least: 1,
    most: 1e6,
    label: 'Edges kept',
    about: 'let it flow along so many edges of a node, those that take most of it; of explicit flow',
  },
} as const satisfies Fields;

/** How a run is trained of which nothing is said. */
export interface Standard {
  readonly d: number;
  readonly epochs: number;
  readonly batch: number;
  readonly learningRates: number[];
  readonly plan: 'cone' | 'dense';
  readonly averaging?: number;
  readonly features?: {
    readonly frequencies?: number;
    readonly waves?: number;
    readonly embeddings?: boolean;
  };
}

/** Of models that are not the paper's. */
export const ownProtocols: Partial<Record<ModelName, Partial<Standard>>> = {
  Walker: {
    d: 40,
    batch: 16,
    epochs: 10,
    learningRates: [0.005, 0.005, 0.005, 0.003, 0.001],
    averaging: 0.99,
    features: { waves: 2, embeddings: false },
  },
};

/** Whether a run carries on only a part of its attention. */
export const isPruned = ({
  keepNodes,
  keepEdges,
}: {
  readonly keepNodes?: number;
  readonly keepEdges?: number;
}): boolean => (keepNodes ?? keepEdges) !== undefined;

/** Whether features are those of coordinates, which grids have; a dataset has columns of its own. */
export const hasPlaces = (
  features: { readonly frequencies?: number | undefined; readonly waves?: number | undefined } | undefined,
): boolean => (features?.frequencies ?? features?.waves) !== undefined;

/** The features that a model has where nothing is said of them; none of the paper's has any. */
export const usualFeatures = (model: ModelName): Standard['features'] => ownProtocols[model]?.features;

/** The paper's choices for worlds of 64 × 64 and more. */
export const largeWorlds = { size: 64, batch: 4, d: 30 } as const;

/**
 * Every setting of a run beside its group and model, by the name that it has on the command line, in a link and in a
 * form: those of the model and of features stand beside the others there.
 */
export const runFields = {
  ...seedFields,
  ...protocolFields,
  ...lessonFields,
  ...keepFields,
  ...featureFields,
  ...modelOptions,
} as const satisfies Fields;

/** The name of a setting of a run. */
export type SettingName = keyof typeof runFields;

/** Settings of a run side by side, by their names. */
export type FlatSettings = Readonly<Partial<Record<SettingName, unknown>>>;

/** What the command line calls a setting. */
export const flagOf = (name: string): string => (name === 'frequencies' ? 'features' : flagName(name));

/** Some settings of a run as `RunSettings` has them. */
export function nestedSettings(flat: FlatSettings): object {
  const among = (fields: Fields): object =>
    Object.fromEntries(Object.entries(flat).filter(([name]) => Object.hasOwn(fields, name)));
  const [options, features] = [among(modelOptions), among(featureFields)];
  return {
    ...among(seedFields),
    ...(Object.keys(options).length > 0 && { options }),
    ...(Object.keys(features).length > 0 && { features }),
    ...among(protocolFields),
    ...among(lessonFields),
    ...among(keepFields),
  };
}

/** The same settings side by side. */
export function flatSettings(nested: {
  readonly options?: object | undefined;
  readonly features?: object | undefined;
}): FlatSettings {
  const { options, features, ...others } = nested;
  const known = Object.entries({ ...others, ...options, ...features }).filter(([name]) =>
    Object.hasOwn(runFields, name),
  );
  return Object.fromEntries(known);
}
