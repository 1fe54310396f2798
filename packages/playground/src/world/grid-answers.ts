/** What can be known of a grid world without a model. */
import { evaluateRanking } from '@flowgrad/data';
import type { RawAndFiltered } from '@flowgrad/data';
import { datasetStatistics, exactDestinations, generateDataset, rollOut } from '@flowgrad/gridworld';
import type { GridDataset, WorldParameters } from '@flowgrad/gridworld';
import { nextMessage } from '../protocol/next-message.ts';
import type { SourceView, WorldView } from '../protocol/world-protocol.ts';

export function makeGrid(group: string | WorldParameters, seed: number): GridDataset {
  const made = generateDataset(group, { seed });
  if (made.splits.test.length > 0) return made;
  throw new RangeError(
    `world: expected at least 3 nodes, got ${made.graph.nodeCount} with seed ${seed} (another seed, or smaller drops)`,
  );
}

export function gridView(
  dataset: GridDataset,
): Pick<WorldView, 'parameters' | 'map' | 'testSource' | 'facts'> {
  const { map, world, trajectories } = dataset;
  // The longest walk shows most; of equals the first.
  const lengthOf = (id: number): number => trajectories.offsets[id + 1] - trajectories.offsets[id];
  const longest = dataset.splits.test.reduce((best, id) => (lengthOf(id) > lengthOf(best) ? id : best));
  const { nodes, edges, trajectories: count, trajectoryLength } = datasetStatistics(dataset);
  return {
    parameters: world.parameters,
    map,
    testSource: trajectories.sources[longest],
    facts: `${nodes} nodes, ${edges} edges, ${count} trajectories of ${trajectoryLength.toFixed(1)} nodes on average`,
  };
}

/** The rollouts that the dataset is made of, and where walks end. */
export function gridSource({ world, seed }: GridDataset, source: number): SourceView {
  const rollouts = Array.from({ length: world.parameters.rollouts }, (_, rollout) =>
    rollOut(world, source, { seed, rollout }),
  );
  const destinations = withinReach(() => exactDestinations(world, source));
  return { source, rollouts, ...(destinations && { destinations }) };
}

/** As `ceilingMetrics`, but other questions are answered meanwhile, and it ends when nobody wants it any more. */
export async function gridCeiling(
  dataset: GridDataset,
  isWanted: () => boolean,
): Promise<RawAndFiltered | undefined> {
  const pairs = dataset.examples.test;
  const scores = new Map<number, Float64Array>();
  for (const source of new Set(pairs.sources)) {
    const destinations = withinReach(() => exactDestinations(dataset.world, source));
    if (!destinations) return undefined;
    scores.set(source, destinations);
    await nextMessage();
    if (!isWanted()) return undefined;
  }
  return evaluateRanking(pairs, (source) => scores.get(source)!, { ties: 'broken' });
}

/** The exact distribution of long sums over history has too many states, and says so by a RangeError. */
function withinReach<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
