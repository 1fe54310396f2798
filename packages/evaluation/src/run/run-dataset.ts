/** What a run is on: a grid world, which is made, or a dataset, which has to be given. */
import type { Dataset } from '@flowgrad/data';
import { createWorld, generateDataset } from '@flowgrad/gridworld';
import { expectDataset, isCard } from './dataset-card.ts';
import type { RunConfig } from './run-config.ts';
import { expectNodes } from './run-problems.ts';

type OnData = Pick<RunConfig, 'group' | 'seed'>;

/** The dataset of a run. One that is given for a grid world is taken as it is. */
export function datasetOf({ group, seed }: OnData, given?: Dataset): Dataset {
  if (isCard(group)) return expectDataset('run', group, given);
  const dataset = given ?? generateDataset(group, { seed });
  expectNodes({ seed }, dataset);
  return dataset;
}

/** How many nodes the run's graph has. A world that is too small for a run is an error. */
export function nodeCountOf({ group, seed }: OnData): number {
  if (isCard(group)) return group.nodes;
  const { graph } = createWorld(group, { seed }).map;
  expectNodes({ seed }, { graph });
  return graph.nodeCount;
}
