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
