import { expectOneOf, rejectUnknownOptions } from '@flowgrad/tensor';
import { checkSeed } from '../random/random-stream.ts';
import type { GridMap } from '../world/grid-map.ts';
import type { WorldParameters } from '../world/parameters.ts';
import { createWorld } from '../world/world.ts';
import type { World } from '../world/world.ts';
import { SPLIT_NAMES, splitBySource } from './splits.ts';
import type { SplitName, Splits } from './splits.ts';
import { sampleTrajectories } from './trajectories.ts';
import type { Trajectories } from './trajectories.ts';

/** What the paper's authors publish of a dataset: it does not say how the trajectories came about. */
export interface TrajectoryDataset {
  readonly map: GridMap;
  readonly trajectories: Trajectories;
  readonly splits: Splits;
}

/** A dataset whose generating process is known. */
export interface Dataset extends TrajectoryDataset {
  readonly seed: number;
  readonly world: World;
}

/**
 * Generates the dataset of a group (`SINE-SZ32-STP16-NDRP-STD0.2`), or of parameters of one's own, at a seed.
 */
export function generateDataset(
  group: string | WorldParameters,
  options: { readonly seed: number },
): Dataset {
  rejectUnknownOptions('generateDataset', options, ['seed']);
  const seed = checkSeed('generateDataset', options.seed);
  const world = createWorld(group, { seed });
  const trajectories = sampleTrajectories(world, seed);
  const splits = splitBySource(trajectories, world.map.graph.nodeCount, seed);
  return { seed, world, map: world.map, trajectories, splits };
}

/** The examples of one part of a dataset: what a model is given, and what it is to predict. */
export interface SourceDestinationPairs {
  readonly count: number;
  /** [count] which trajectory each pair came from. */
  readonly trajectoryIds: Int32Array;
  readonly sources: Int32Array;
  readonly destinations: Int32Array;
}

/**
 * The source and the destination of every trajectory of a split, which is all that a model is trained and tested
 * on.
 */
export function pairsOf(
  { trajectories, splits }: TrajectoryDataset,
  split: SplitName,
): SourceDestinationPairs {
  const trajectoryIds = splits[expectOneOf('pairsOf', 'split', split, SPLIT_NAMES)];
  return {
    count: trajectoryIds.length,
    trajectoryIds,
    sources: trajectoryIds.map((i) => trajectories.sources[i]),
    destinations: trajectoryIds.map((i) => trajectories.destinations[i]),
  };
}
