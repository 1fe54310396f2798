/** Everything that the page's numbers depend on, as a person chose it: what a link carries. */
import { isCard, resolveRun, usualFeatures } from '@flowgrad/evaluation';
import type { RunConfig, RunSettings } from '@flowgrad/evaluation';
import { DYNAMICS, MAP_FIELDS, parseGroupName, WALK_FIELDS } from '@flowgrad/gridworld';
import type { DynamicsName, LatentDirection, WorldParameters } from '@flowgrad/gridworld';
import { modelNames, optionsOf as optionsOfModel } from '@flowgrad/models';
import type { ModelName } from '@flowgrad/models';
import type { DeviceSettings } from '../protocol/training-protocol.ts';

/** A run, but for its world. */
export type RunChoice = Omit<RunSettings, 'group' | 'seed'>;

export interface Configuration {
  readonly world: Omit<WorldParameters, 'name'>;
  /** Of the data. */
  readonly seed: number;
  /** One, or two to compare. */
  readonly runs: readonly RunChoice[];
  readonly device: DeviceSettings;
  /** The cell of the source; one of the test split unless given. */
  readonly source?: { readonly x: number; readonly y: number };
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

export function worldOf(group: RunConfig['group']): Configuration['world'] {
  if (isCard(group)) {
    throw new RangeError(`open: expected a run on a grid world, got one on the dataset ${group.name}`);
  }
  return withoutName(typeof group === 'string' ? parseGroupName(group) : group);
}

/** The settings of one of its runs, for `createTrainer`; options that the model does not take are left out. */
export function runSettings({ world, seed, runs }: Configuration, index: number): RunSettings {
  const { options = {}, ...run } = runs[index];
  return { group: groupOf(world), seed, ...run, options: optionsOf(run.model, options) };
}

function optionsOf(model: ModelName, options: object): object {
  // That a model is not known is for resolveRun to say.
  const known: readonly string[] = modelNames.includes(model) ? Object.keys(optionsOfModel(model)) : [];
  return Object.fromEntries(Object.entries(options).filter(([key]) => known.includes(key)));
}

/** What of a run's configuration is not its world's. */
export function choiceOf({ group: _, seed: __, ...run }: RunConfig): RunChoice {
  return run;
}

/** Raises what is wrong with it, if anything is. */
export function checkConfiguration(configuration: Configuration): void {
  configuration.runs.forEach((_, index) => resolveRun(runSettings(configuration, index)));
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
