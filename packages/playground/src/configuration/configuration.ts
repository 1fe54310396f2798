/** Everything that the page's numbers depend on, as a person chose it: what a link carries. */
import { isCard, resolveRun, usualFeatures } from '@flowgrad/evaluation';
import type { DatasetCard, RunConfig, RunSettings } from '@flowgrad/evaluation';
import { DYNAMICS, MAP_FIELDS, parseGroupName, WALK_FIELDS } from '@flowgrad/gridworld';
import type { DynamicsName, LatentDirection, WorldParameters } from '@flowgrad/gridworld';
import { modelNames, optionsOf as optionsOfModel } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import type { Naming } from '@flowgrad/schema';
import type { DeviceSettings } from '../protocol/training-protocol.ts';

/** A run, but for what it is on. */
export type RunChoice = Omit<RunSettings, 'group' | 'seed'>;

export interface Configuration {
  /** The grid world that runs are on, unless there is `data`. */
  readonly world: Omit<WorldParameters, 'name'>;
  /** The dataset that runs are on in place of the world, by its card: the page has its files, or fetches them. */
  readonly data?: DatasetCard;
  /** Of the world; of a dataset, which has none, that of start values and of a layout. */
  readonly seed: number;
  /** One, or two to compare. */
  readonly runs: readonly RunChoice[];
  readonly device: DeviceSettings;
  /** A cell of the world, or a node of the dataset; one of the test split unless given. */
  readonly source?: { readonly x: number; readonly y: number } | { readonly node: number };
  /** What is asked of the dataset, by its number; as the source unless given. */
  readonly query?: number;
}

const { size, nodeDrop, edgeDrop } = MAP_FIELDS;
const { steps, sigma, rollouts } = WALK_FIELDS;
/** Of the world, in the order of links and of the form. */
export const worldFields = { size, steps, sigma, nodeDrop, edgeDrop, rollouts };

/** What a run of a link has of which the link says nothing. Links are out in the world: this never changes. */
export const linkRun: RunChoice = {
  model: 'GGNN-MulMlp',
  shuffling: 1,
  options: { d: 20 },
  epochs: 20,
  batch: 16,
  learningRates: [0.01, 0.008, 0.006, 0.004, 0.002],
  plan: 'cone',
};

/** It comes near the ceiling in some seconds on two cores. */
export const firstConfiguration: Configuration = {
  world: withoutName(parseGroupName('SINE-SZ16-STP8-NDRP-STD0.2')),
  seed: 1,
  runs: [{ ...linkRun, model: 'Walker', features: usualFeatures('Walker')! }],
  device: { device: 'auto', simd: 'auto', threads: 0 },
};

export function withoutName({ name: _, ...world }: WorldParameters): Configuration['world'] {
  return world;
}

/** The name of the paper's dynamics, if it is one of them. */
export function dynamicsName(latent: LatentDirection): DynamicsName | undefined {
  const names = Object.keys(DYNAMICS) as DynamicsName[];
  return names.find((name) => sameValues(DYNAMICS[name], latent));
}

/** A group's name where there is one for the world, so that runs are called the same here and elsewhere. */
export function groupOf(world: Configuration['world']): string | WorldParameters {
  const { size, steps, sigma, nodeDrop, edgeDrop } = world;
  const dynamics = dynamicsName(world.latentDirection) ?? 'OWN';
  for (const drops of ['NDRP', 'EDRP']) {
    const name = `${dynamics}-SZ${size}-STP${steps}-${drops}-STD${sigma}`;
    if (dynamics !== 'OWN' && isGroup(name, world)) return name;
  }
  const name = `${dynamics}-SZ${size}-STP${steps}-N${nodeDrop}-E${edgeDrop}-STD${sigma}`;
  return { name, ...world };
}

function isGroup(name: string, world: Configuration['world']): boolean {
  try {
    return sameValues(withoutName(parseGroupName(name)), world);
  } catch {
    return false;
  }
}

/** What a run is on, as a configuration has it; `otherwise` is the world beside a dataset. */
export function placeOf(
  group: RunConfig['group'],
  otherwise: Configuration['world'],
): Pick<Configuration, 'world' | 'data'> {
  if (isCard(group)) return { world: otherwise, data: group };
  return { world: withoutName(typeof group === 'string' ? parseGroupName(group) : group) };
}

/** Whether both are of the same nodes and edges. */
export function samePlace(a: Configuration, b: Configuration): boolean {
  if (a.seed !== b.seed || a.data?.sha256 !== b.data?.sha256) return false;
  return a.data !== undefined || sameValues(a.world, b.world);
}

/**
 * The settings of one of its runs, for `createTrainer`. Options that the model does not take are left out; so is what only
 * grids have, features of coordinates and worlds of other seeds, where there is a dataset.
 */
export function runSettings({ world, data, seed, runs }: Configuration, index: number): RunSettings {
  const { options = {}, features, worlds, ...run } = runs[index];
  return {
    group: data ?? groupOf(world),
    seed,
    ...run,
    ...(!data && features && { features }),
    ...(!data && worlds !== undefined && { worlds }),
    options: optionsOf(run.model, options),
  };
}

function optionsOf(model: ModelName, options: object): object {
  // That a model is not known is for resolveRun to say.
  const known: readonly string[] = modelNames.includes(model) ? Object.keys(optionsOfModel(model)) : [];
  return Object.fromEntries(Object.entries(options).filter(([key]) => known.includes(key)));
}

/** Whether its two runs are the same model with the same settings. Of options only those count that the model takes. */
export const isSameTwice = (configuration: Configuration): boolean =>
  configuration.runs.length > 1 && sameValues(runSettings(configuration, 0), runSettings(configuration, 1));

/** What of a run's configuration is not its world's. */
export function choiceOf({ group: _, seed: __, ...run }: RunConfig): RunChoice {
  return run;
}

/** Raises what is wrong with it, if anything is, in the words of `nameOf`. */
export function checkConfiguration(configuration: Configuration, nameOf: Naming): void {
  configuration.runs.forEach((_, index) => resolveRun(runSettings(configuration, index), nameOf));
}

/** Of plain records, in whatever order their keys are. */
export function sameValues(a: object, b: object): boolean {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([key, each]) => [key, sorted(each)] as const)
          .sort(([left], [right]) => (left < right ? -1 : 1))
      : value;
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}
