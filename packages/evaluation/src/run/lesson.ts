/** What a run learns from: the training pairs of its own world, of some of its sources, or of several worlds. */
import type { Dataset, Examples } from '@flowgrad/data';
import { shufflingOrder } from '@flowgrad/data';
import { joinGraphs, withSelfLoops } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { generateDataset } from '@flowgrad/gridworld';
import { scope } from '@flowgrad/tensor';
import { isCard } from './dataset-card.ts';
import type { RunConfig } from './run-config.ts';

/** Pairs to learn from. */
export type Pairs = Omit<Examples, 'path'>;

/** The run's own dataset is the first of the worlds: its nodes and edges have the same numbers in the graph of all. */
export interface Lesson {
  readonly worlds: readonly Dataset[];
  /** The run's own world, with self-loops. */
  readonly own: Graph;
  /** All worlds side by side, with self-loops. */
  readonly graph: Graph;
  readonly pairs: Pairs;
}

export function lessonOf(config: RunConfig, dataset: Dataset): Lesson {
  const { group, seed, worlds: count = 1, share = 1 } = config;
  const seeds = Array.from({ length: count - 1 }, (_, k) => (seed + k + 1) >>> 0);
  const others = isCard(group) ? [] : seeds.map((each) => generateDataset(group, { seed: each }));
  const worlds = [dataset, ...others];
  const graphs = worlds.map(({ graph }) => withSelfLoops(graph));
  const pairs = worlds.map((world) => ofSomeSources(world.examples.train, share, seed));
  const [own] = graphs;
  if (worlds.length === 1) return { worlds, own, graph: own, pairs: pairs[0] };
  const { graph, nodeOffsets } = scope(() => joinGraphs(graphs));
  const joined = (list: 'sources' | 'destinations'): Int32Array =>
    Int32Array.from(
      pairs.flatMap((each, world) => Array.from(each[list], (node) => node + nodeOffsets[world])),
    );
  const sources = joined('sources');
  return {
    worlds,
    own,
    graph,
    pairs: { count: sources.length, sources, destinations: joined('destinations') },
  };
}

/** The pairs of this share of the sources, chosen by the seed. */
function ofSomeSources(pairs: Pairs, share: number, seed: number): Pairs {
  if (share === 1) return pairs;
  const sources = [...new Set(pairs.sources)];
  const order = shufflingOrder(sources.length, { seed, epoch: 0 });
  const chosen = new Set(
    [...order.subarray(0, Math.ceil(share * sources.length))].map((place) => sources[place]),
  );
  const kept = Int32Array.from(pairs.sources.keys()).filter((pair) => chosen.has(pairs.sources[pair]));
  return {
    count: kept.length,
    sources: kept.map((pair) => pairs.sources[pair]),
    destinations: kept.map((pair) => pairs.destinations[pair]),
    ...(pairs.queries && { queries: kept.map((pair) => pairs.queries![pair]) }),
    ...(pairs.hiddenEdges && { hiddenEdges: (example) => pairs.hiddenEdges!(kept[example]) }),
  };
}
