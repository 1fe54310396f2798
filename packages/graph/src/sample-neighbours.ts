import { philox, RandomKey, rejectUnknownOptions } from '@flowgrad/tensor';
import { createGraph } from './graph.ts';
import type { Graph } from './graph.ts';
import { readNode } from './read-indices.ts';

/** What `sampleNeighbours` takes. */
export interface SampleOptions {
  /** The nodes whose states are wanted, each once. */
  readonly seeds: ArrayLike<number>;
  /** How many incoming edges at most to take of each node, hop by hop: one number per layer; Infinity for all of them. */
  readonly fanouts: readonly number[];
  /** Which edges are taken follows from the graph and this key alone. */
  readonly key: RandomKey;
}

/** A part of a graph, its nodes and edges numbered anew. */
export interface NeighbourSample {
  readonly graph: Graph;
  /** [nodes of the sample] which node of the whole graph each is: first the seeds in their order, then others as they were found. */
  readonly nodes: Int32Array;
  /** [edges of the sample] which edge of the whole graph each is. */
  readonly edges: Int32Array;
}

const where = 'sampleNeighbours';

/**
 * The seeds and what their states depend on, thinned out (GraphSAGE; Hamilton et al., 2017). From each seed,
 * fanouts[0] of its incoming edges are drawn without replacement; from each node that was first met there, fanouts[1] of
 * its own; and so on. With fanouts of Infinity as many layers give the seeds the states that the whole graph gives.
 */
export function sampleNeighbours(graph: Graph, options: SampleOptions): NeighbourSample {
  rejectUnknownOptions(where, options, ['seeds', 'fanouts', 'key']);
  const { seeds, fanouts, key } = options;
  if (!(key instanceof RandomKey)) {
    throw new TypeError(
      `${where}: expected key to be a RandomKey, got ${typeof key} (make it with randomKey)`,
    );
  }
  for (const [hop, fanout] of fanouts.entries()) {
    if (fanout === Infinity || (Number.isSafeInteger(fanout) && fanout >= 1)) continue;
    throw new RangeError(
      `${where}: expected fanouts[${hop}] to be a whole number ≥ 1 or Infinity, got ${fanout}`,
    );
  }
  const numberOf = numberSeeds(seeds, graph.nodeCount);
  const nodes = [...numberOf.keys()];
  const edges: number[] = [];
  let next = 0;
  for (const fanout of fanouts) {
    for (const met = nodes.length; next < met; next++) {
      for (const edge of drawIncoming(graph, nodes[next], fanout, key)) {
        edges.push(edge);
        const sender = graph.senders[edge];
        if (numberOf.has(sender)) continue;
        numberOf.set(sender, nodes.length);
        nodes.push(sender);
      }
    }
  }
  const renumbered = (ends: Int32Array): number[] => edges.map((edge) => numberOf.get(ends[edge])!);
  const sample = createGraph({
    nodeCount: nodes.length,
    senders: renumbered(graph.senders),
    receivers: renumbered(graph.receivers),
    edgeTypes: edges.map((edge) => graph.edgeTypes[edge]),
    edgeTypeCount: graph.edgeTypeCount,
  });
  return { graph: sample, nodes: Int32Array.from(nodes), edges: Int32Array.from(edges) };
}

/** Node of the whole graph → its number in the sample. */
function numberSeeds(seeds: ArrayLike<number>, nodeCount: number): Map<number, number> {
  const numberOf = new Map<number, number>();
  for (let i = 0; i < seeds.length; i++) {
    const seed = readNode(where, 'seed', seeds[i], nodeCount);
    const before = numberOf.get(seed);
    if (before !== undefined) {
      throw new RangeError(`${where}: expected each seed once, got node ${seed} as seeds ${before} and ${i}`);
    }
    numberOf.set(seed, i);
  }
  return numberOf;
}

/**
 * Up to `fanout` of a node's incoming edges, in the graph's order, every choice as likely. Each edge has a random rank by
 * the key, and those of the lowest ranks are taken.
 */
function drawIncoming(
  { byReceiver: { permutation, offsets } }: Graph,
  node: number,
  fanout: number,
  key: RandomKey,
): Int32Array {
  const incoming = permutation.subarray(offsets[node], offsets[node + 1]);
  if (incoming.length <= fanout) return incoming;
  const block = new Uint32Array(4);
  const rankOf = new Map<number, number>();
  for (const edge of incoming) {
    philox(block, edge, 0, 0, 0, ...key.words);
    rankOf.set(edge, block[0]);
  }
  const byRank = incoming.slice().sort((a, b) => rankOf.get(a)! - rankOf.get(b)! || a - b);
  return byRank.subarray(0, fanout).sort();
}
