/** The way along which most attention comes to a node, as a random walker's likeliest path (Viterbi). */
import type { Graph } from '@flowgrad/graph';
import type { AttentionFlow } from '../training/predict.ts';

/** Edges in order, without those that stay where they are. */
export interface Way {
  readonly edges: readonly number[];
  /** The probability of the whole way, which may stay where it is at any step. */
  readonly share: number;
}

/**
 * p₀(source) = 1 and pₜ₊₁(j) = max over edges e = (i, j) of pₜ(i) · ãₜ(e) / aₜ(i), the share of i's attention that flows along e.
 * Undefined where no attention comes there at all.
 */
export function likeliestWay(
  { senders, receivers, edgeCount, nodeCount }: Graph,
  { focused, flowing = [] }: AttentionFlow,
  source: number,
  destination: number,
): Way | undefined {
  let reached = new Float64Array(nodeCount);
  reached[source] = 1;
  const cameBy = flowing.map((flow, t) => {
    const next = new Float64Array(nodeCount);
    const by = new Int32Array(nodeCount).fill(-1);
    for (let edge = 0; edge < edgeCount; edge++) {
      const [from, to] = [senders[edge], receivers[edge]];
      if (reached[from] === 0 || !(flow[edge] > 0) || !(focused[t][from] > 0)) continue;
      const share = reached[from] * Math.min(1, flow[edge] / focused[t][from]);
      if (share <= next[to]) continue;
      next[to] = share;
      by[to] = edge;
    }
    reached = next;
    return by;
  });
  if (cameBy.length === 0 || reached[destination] === 0) return undefined;
  const edges: number[] = [];
  let at = destination;
  for (const by of cameBy.toReversed()) {
    const edge = by[at];
    at = senders[edge];
    if (at !== receivers[edge]) edges.unshift(edge);
  }
  return { edges, share: reached[destination] };
}
