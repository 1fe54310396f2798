import type { Graph } from '../graph.ts';

/** The edges of a graph in the order of their senders, each array read in step with the others. */
export interface OutgoingEdges {
  /** [nodes + 1] where each node's outgoing edges begin. */
  readonly offsets: Int32Array;
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
  readonly types: Int32Array;
  /** Position → edge of the graph. */
  readonly edges: Int32Array;
}

export function outgoingEdges({ bySender, senders, receivers, edgeTypes }: Graph): OutgoingEdges {
  const { offsets, permutation } = bySender;
  const sorted = (values: Int32Array): Int32Array => permutation.map((edge) => values[edge]);
  return {
    offsets,
    senders: sorted(senders),
    receivers: sorted(receivers),
    types: sorted(edgeTypes),
    edges: permutation,
  };
}

/** How many edges leave the nodes of all `pairs` example · nodeCount + node. */
export function fanSize(pairs: Int32Array, { offsets }: OutgoingEdges): number {
  const nodeCount = offsets.length - 1;
  let size = 0;
  for (let k = 0; k < pairs.length; k++) {
    const node = pairs[k] % nodeCount;
    size += offsets[node + 1] - offsets[node];
  }
  return size;
}

/** The edges that leave the nodes of all `pairs`, side by side, as example · edgeCount + edge of the graph. */
export function fanOutputs(pairs: Int32Array, outgoing: OutgoingEdges): Int32Array {
  const { offsets, edges } = outgoing;
  const nodeCount = offsets.length - 1;
  const outputs = new Int32Array(fanSize(pairs, outgoing));
  let count = 0;
  for (const pair of pairs) {
    const node = pair % nodeCount;
    const first = ((pair - node) / nodeCount) * edges.length;
    for (let e = offsets[node]; e < offsets[node + 1]; e++) outputs[count++] = first + edges[e];
  }
  return outputs;
}
