import { checkSeed, SPLIT_NAMES } from '@flowgrad/data';
import type { Dataset, Examples, SplitName } from '@flowgrad/data';
import { rejectUnknownOptions } from '@flowgrad/tensor';
import { ceilingMetrics } from '../exact/ceiling.ts';
import { DIRECTION_NAMES } from '../world/directions.ts';
import type { GridMap } from '../world/grid-map.ts';
import type { WorldParameters } from '../world/parameters.ts';
import { createWorld } from '../world/world.ts';
import type { World } from '../world/world.ts';
import { splitBySource } from './splits.ts';
import type { Splits } from './splits.ts';
import { sampleTrajectories, trajectoryNodes } from './trajectories.ts';
import type { Trajectories } from './trajectories.ts';

/** What the paper's authors publish of a dataset: it does not say how the trajectories came about. */
export interface TrajectoryDataset {
  readonly map: GridMap;
  readonly trajectories: Trajectories;
  readonly splits: Splits;
  /** The ends of the trajectories of each part, in their order: all that a model is trained and tested on. */
  readonly examples: Readonly<Record<SplitName, Examples>>;
}

/** A dataset whose generating process is known. */
export interface GridDataset extends TrajectoryDataset, Dataset {
  readonly seed: number;
  readonly world: World;
}

/** Whether a dataset is one of a grid world. */
export const isGridDataset = (dataset: Dataset): dataset is GridDataset =>
  'world' in dataset && 'map' in dataset;

/**
 * Generates the dataset of a group (`SINE-SZ32-STP16-NDRP-STD0.2`), or of parameters of one's own, at a seed.
 */
export function generateDataset(
  group: string | WorldParameters,
  options: { readonly seed: number },
): GridDataset {
  rejectUnknownOptions('generateDataset', options, ['seed']);
  const seed = checkSeed('generateDataset', options.seed);
  const world = createWorld(group, { seed });
  const trajectories = sampleTrajectories(world, seed);
  const splits = splitBySource(trajectories, world.map.graph.nodeCount, seed);
  return gridDataset(trajectoryDataset(world.map, trajectories, splits), world, seed);
}

export function trajectoryDataset(
  map: GridMap,
  trajectories: Trajectories,
  splits: Splits,
): TrajectoryDataset {
  const examplesOf = (split: SplitName): Examples => {
    const ids = splits[split];
    return {
      count: ids.length,
      sources: ids.map((id) => trajectories.sources[id]),
      destinations: ids.map((id) => trajectories.destinations[id]),
      path: (example) => trajectoryNodes(trajectories, ids[example]),
    };
  };
  const examples = Object.fromEntries(SPLIT_NAMES.map((split) => [split, examplesOf(split)]));
  return { map, trajectories, splits, examples: examples as Record<SplitName, Examples> };
}

/** Trajectories together with the process that made them. */
export function gridDataset(data: TrajectoryDataset, world: World, seed: number): GridDataset {
  const { map } = data;
  const { name, steps } = world.parameters;
  const dataset: GridDataset = {
    ...data,
    ...{ name, steps, seed, world, graph: map.graph, positions: map, edgeTypeNames: DIRECTION_NAMES },
    ceiling: (split) => {
      try {
        return ceilingMetrics(dataset, split);
      } catch (error) {
        // The exact distribution of long sums over history has too many states, and says so.
        if (error instanceof RangeError) return undefined;
        throw error;
      }
    },
  };
  return dataset;
}
