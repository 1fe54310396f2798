/** Makes worlds and computes what can be known of them without a model. */
import { evaluateRanking } from '@flowgrad/data';
import type { RawAndFiltered } from '@flowgrad/data';
import { withSelfLoops } from '@flowgrad/graph';
import {
  datasetStatistics,
  exactDestinations,
  generateDataset,
  rollOut,
  SELF_LOOP_TYPE,
} from '@flowgrad/gridworld';
import type { GridDataset } from '@flowgrad/gridworld';
import { nextMessage } from '../protocol/next-message.ts';
import type { SourceView, WorldCalls, WorldView } from '../protocol/world-protocol.ts';

export function worldAnswers(): WorldCalls {
  let dataset: GridDataset | undefined;
  const present = (): GridDataset => {
    if (!dataset) throw new Error('world: expected a world to be made first, got none');
    return dataset;
  };
  return {
    make: async ({ group, seed }) => {
      const made = generateDataset(group, { seed });
      const { nodeCount } = made.map.graph;
      if (made.splits.test.length === 0)
        throw new RangeError(
          `world: expected at least 3 nodes, got ${nodeCount} with seed ${seed} (another seed, or smaller drops)`,
        );
      dataset = made;
      return worldView(dataset);
    },
    lookAt: async ({ source }) => sourceView(present(), source),
    ceiling: async () => {
      const asked = present();
      return ceilingOf(asked, () => dataset === asked);
    },
  };
}

function worldView(dataset: GridDataset): WorldView {
  const { map, world } = dataset;
  const { senders, receivers } = withSelfLoops(map.graph, { edgeType: SELF_LOOP_TYPE });
  // The longest walk shows most; of equals the first.
  const { trajectories } = dataset;
  const lengthOf = (id: number): number => trajectories.offsets[id + 1] - trajectories.offsets[id];
  const longest = dataset.splits.test.reduce((best, id) => (lengthOf(id) > lengthOf(best) ? id : best));
  return {
    parameters: world.parameters,
    map,
    statistics: datasetStatistics(dataset),
    senders,
    receivers,
    testSource: trajectories.sources[longest],
  };
}

function sourceView({ world, seed }: GridDataset, source: number): SourceView {
  const rollouts = Array.from({ length: world.parameters.rollouts }, (_, rollout) =>
    rollOut(world, source, { seed, rollout }),
  );
  const destinations = withinReach(() => exactDestinations(world, source));
  return { source, rollouts, ...(destinations && { destinations }) };
}

/** As `ceilingMetrics`, but other questions are answered meanwhile, and it ends when nobody wants it any more. */
async function ceilingOf(dataset: GridDataset, isWanted: () => boolean): Promise<RawAndFiltered | undefined> {
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
