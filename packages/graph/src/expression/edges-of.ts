/** Message passing over a whole graph. */
import { deferredIndex, segments, TensorError } from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import { pick, typedIds } from '../plan/typed-ids.ts';
import { EdgeExpression } from './edge-expression.ts';
import type { End } from './edge-expression.ts';
import type { EdgeSet, EdgeSpace } from './edge-space.ts';

/** What the edges of a graph can read. */
export interface Edges {
  /** x [nodes, …]: what the sender of each edge has. */
  sender(this: void, x: Tensor): EdgeExpression;
  /** x [nodes, …]: what the receiver of each edge has. */
  receiver(this: void, x: Tensor): EdgeExpression;
  /** x [edges, …]: a value for each edge, in the graph's order. */
  edge(this: void, x: Tensor): EdgeExpression;
}

/** What `edgesOf` can be told. */
export interface EdgesOptions {
  /**
   * Bytes that a tensor with a row per edge may take, 2²⁷ unless given; above, it is not kept for the backward pass but
   * computed again.
   */
  readonly messageMemory?: number;
}

/**
 * The edges of a graph, to write messages of: `sumIn(edges.sender(h))`. Its indices belong to the innermost scope, as
 * tensors do, and are made once.
 */
export function edgesOf(graph: Graph, { messageMemory = 2 ** 27 }: EdgesOptions = {}): Edges {
  const { nodeCount, edgeCount, edgeTypeCount, bySender, byReceiver } = graph;
  const set = (order: Int32Array | undefined, placesIn: EdgeSet['placesIn']): EdgeSet => {
    const listed = (values: Int32Array): Int32Array => (order ? pick(values, order) : values);
    const index = (values: () => Int32Array, rows: number): RowIndex => deferredIndex(values, rows);
    const ends = { sender: graph.senders, receiver: graph.receivers };
    const types = index(() => listed(graph.edgeTypes), edgeTypeCount);
    const rows = {
      sender: index(() => listed(ends.sender), nodeCount),
      receiver: index(() => listed(ends.receiver), nodeCount),
      edge: order && index(() => order, edgeCount),
    };
    const typedRows = (end: 'sender' | 'receiver'): RowIndex =>
      index(
        () => typedIds(listed(ends[end]), listed(graph.edgeTypes), edgeTypeCount),
        nodeCount * edgeTypeCount,
      );
    const typed = { sender: typedRows('sender'), receiver: typedRows('receiver') };
    return {
      count: edgeCount,
      types,
      rowsOf: (end) => rows[end as keyof typeof rows],
      typedRowsOf: (end) => typed[end as keyof typeof typed],
      placesIn,
    };
  };
  const out = set(bySender.permutation, (other) => (other === arriving ? outInArriving : undefined));
  const arriving = set(byReceiver.permutation, (other) => (other === out ? arrivingInOut : undefined));
  const own = set(undefined, (other) =>
    other === out ? ownInOut : other === arriving ? ownInArriving : undefined,
  );
  const places = (of: Int32Array): RowIndex => deferredIndex(() => of, edgeCount);
  const ownInOut = places(bySender.inverse);
  const ownInArriving = places(byReceiver.inverse);
  const outInArriving = deferredIndex(() => pick(byReceiver.inverse, bySender.permutation), edgeCount);
  const arrivingInOut = deferredIndex(() => pick(bySender.inverse, byReceiver.permutation), edgeCount);
  const space: EdgeSpace = {
    edgeTypeCount,
    out: { edges: out, senders: segments(pick(graph.senders, bySender.permutation), nodeCount) },
    in: { edges: arriving, into: segments(pick(graph.receivers, byReceiver.permutation), nodeCount) },
    own: { edges: own, into: own.rowsOf('receiver')! },
    inIsComplete: true,
    valuesAt: (_end, x) => x,
    once: (_from, _name, make) => make(),
    recomputes: (channels) => channels * edgeCount * 4 > messageMemory,
  };
  const reader =
    (end: End, rows: number, name: string) =>
    (x: Tensor): EdgeExpression => {
      if (x.rank > 0 && x.shape[0] === rows) {
        return new EdgeExpression({ kind: 'read', end, x }, space, x.shape.slice(1));
      }
      throw new TensorError(
        end,
        'shape',
        `expected x of shape [${rows}, …] (${name}), got [${x.shape.join(', ')}]`,
      );
    };
  return {
    sender: reader('sender', nodeCount, 'nodes'),
    receiver: reader('receiver', nodeCount, 'nodes'),
    edge: reader('edge', edgeCount, 'edges'),
  };
}
