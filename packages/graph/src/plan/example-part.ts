/**
 * What an example has of a plan that is its own: nodes, and the times at which each has a state row, an entry of attention,
 * and a fan, the list of all its outgoing edges. At other times it reads the background's.
 *
 * | What gets into the states          | rows                 | entries        | fans                                |
 * | ---------------------------------- | -------------------- | -------------- | ----------------------------------- |
 * | attention, by acting on messages   | of F ∩ S, from t = 1 | of A           | of A                                |
 * | attention, by a global state       | of all, always       | of all, always | of A                                |
 * | attention, in both ways            | of all, always       | of all, always | of A                                |
 * | the mark of the source             | of F                 | none           | of `senders`, where siblings matter |
 *
 * F, A, S and `senders` are those of `cone-finder.ts`. A global state that reads messages reads those into every node of the
 * graph: where attention gets into the states in both ways, all of them are the example's own.
 */
import type { Neighbours } from './adjacency.ts';
import type { ConeContext } from './cone-context.ts';
import { perCone } from './cone-search.ts';
import { isCut } from './example-cone.ts';
import type { ConeExample, ExampleCone, KeptFlow } from './example-cone.ts';
import { sideBySide } from './int-room.ts';
import type { Numbering } from './numbering.ts';
import { ascending } from './typed-ids.ts';

/** For each node the first and the last time; none where the first is the later one. */
export interface Spans {
  readonly from: Int32Array;
  readonly until: Int32Array;
}

export interface ExamplePart {
  /** What carries attention on, of its own nodes; absent where everything does. */
  readonly kept: KeptFlow | undefined;
  /** The example's own nodes, ascending, and behind them others that its edges lead to or come from. */
  readonly nodes: Int32Array;
  /** How many are its own. */
  readonly own: number;
  readonly rows: Spans;
  readonly entries: Spans;
  readonly fans: Spans;
  /** Edges that leave the own nodes, in the graph's order, of those that ever have a fan: their ends as places in `nodes`. */
  readonly leaving: Neighbours;
  /** Edges that arrive at the own nodes with a row, where every message into it is the example's own. */
  readonly arriving: Neighbours | undefined;
  /** The last time at which the background's state of each node is read; −1 where only examples have rows of the node, −2 where none has. */
  readonly reads: Int32Array;
  /** Places of the source and of the destination; −1 where there is none. */
  readonly source: number;
  readonly destination: number;
}

type ExampleEnds = Omit<ConeExample, 'lossOnly'>;
type PartOf = (cone: ExampleCone, ends: ExampleEnds) => ExamplePart;

/** Makes the part of an example or, as epochs come back to the same cones, gives the one it made before. */
export const examplePartMaker = (context: ConeContext): PartOf => perCone(partMaker(context));

type OwnSpans = Pick<ExamplePart, 'rows' | 'entries' | 'fans'>;

function partMaker(context: ConeContext): PartOf {
  /** Gives each node of the part at hand its place. */
  const places = context.numbering;
  const { outOf, into } = context.adjacency;
  const { flow, acts, global } = context.kind;
  return (cone, ends) => {
    const { source, destination, steps } = ends;
    const own = ownNodes(context, cone, ends);
    places.clear();
    for (let k = 0; k < own.length; k++) places.of(own[k]);
    const { rows, entries, fans } = ownSpans(context, cone, own, steps);
    const kept =
      cone.kept && (own === cone.nodes ? cone.kept : spreadKept(cone.kept, cone.nodes, places, own.length));
    const known = own === cone.nodes ? cone.fans : undefined;
    const leaving = known?.leaving ?? edgesOf(outOf, places, own, fans, steps - 1, kept);
    const arriving = flow ? undefined : edgesOf(into, places, own, rows, steps, undefined);
    const nodes = known?.nodes ?? places.ids.slice(0, places.count);
    const reads = new Int32Array(nodes.length).fill(acts && !global ? -2 : -1);
    const part: ExamplePart = {
      kept,
      nodes,
      own: own.length,
      rows,
      entries,
      fans,
      leaving,
      arriving,
      reads,
      source: places.of(source),
      destination: destination === undefined ? -1 : places.of(destination),
    };
    if (acts && !global) addReads(reads, part, steps);
    return part;
  };
}

/** The edges of own nodes whose span begins by `last`, of those that are not cut. */
function edgesOf(
  among: Neighbours,
  places: Numbering,
  own: Int32Array,
  { from, until }: Spans,
  last: number,
  kept: KeptFlow | undefined,
): Neighbours {
  const offsets = new Int32Array(own.length + 1);
  for (let k = 0; k < own.length; k++) {
    const isListed = from[k] <= until[k] && from[k] <= last && !isCut(kept, k);
    offsets[k + 1] = offsets[k] + (isListed ? among.offsets[own[k] + 1] - among.offsets[own[k]] : 0);
  }
  const ends = new Int32Array(offsets[own.length]);
  for (let k = 0; k < own.length; k++) {
    const first = among.offsets[own[k]] - offsets[k];
    for (let i = offsets[k]; i < offsets[k + 1]; i++) ends[i] = places.of(among.ends[first + i]);
  }
  return { offsets, ends };
}

/** What is kept of some nodes, as that of `count` others which they are among, each at its place. */
function spreadKept(
  { begins, steps }: KeptFlow,
  nodes: Int32Array,
  places: Numbering,
  count: number,
): KeptFlow {
  const spread = <Values extends Int32Array | Uint8Array>(from: Values, to: Values): Values => {
    for (let k = 0; k < nodes.length; k++) to[places.of(nodes[k])] = from[k];
    return to;
  };
  return {
    begins: spread(begins, new Int32Array(count)),
    steps: steps.map(({ sends, edges }) => ({
      sends: spread(sends, new Uint8Array(count)),
      ...(edges && { edges }),
    })),
  };
}

/** The nodes that an example has of its own, ascending. */
function ownNodes(
  { graph, kind: { flow, acts, global }, adjacency: { outOf } }: ConeContext,
  { nodes, since, attention, senders, kept }: ExampleCone,
  { source, destination = source, steps }: ExampleEnds,
): Int32Array {
  if (acts && global) return Int32Array.from({ length: graph.nodeCount }, (_, node) => node);
  if (acts) return nodes;
  if (!flow) return senders ? ascending(Int32Array.of(...nodes, ...senders.nodes)) : nodes;
  // Transitions read the states of all receivers, and each state is the example's own.
  const found = [source, destination];
  for (let k = 0; k < nodes.length; k++) {
    const node = nodes[k];
    if (since[k] > attention[k] || since[k] >= steps) continue;
    // Where a cut leaves its attention, the global state still reads it.
    found.push(node);
    if (isCut(kept, k)) continue;
    for (let e = outOf.offsets[node]; e < outOf.offsets[node + 1]; e++) found.push(outOf.ends[e]);
  }
  return ascending(Int32Array.from(found));
}

function ownSpans(
  { kind: { flow, acts, global, asks = false } }: ConeContext,
  { nodes, since, attention, states, senders }: ExampleCone,
  own: Int32Array,
  steps: number,
): OwnSpans {
  const filled = (value: number): Int32Array => new Int32Array(own.length).fill(value);
  if (acts && !global) {
    // A row is there from 1 on, as nothing has acted on a state before; that of a source which is asked something, from 0 on.
    // Nothing reads a state at T.
    const lists = sideBySide(own.length, 2);
    const rows = { from: lists[0], until: lists[1] };
    for (let k = 0; k < own.length; k++) {
      const isAsked = asks && since[k] === 0;
      rows.from[k] = isAsked ? 0 : Math.max(since[k], 1);
      rows.until[k] = Math.min(isAsked ? Math.max(states[k], 0) : states[k], steps - 1);
    }
    const attended = { from: since, until: attention };
    return { rows, entries: attended, fans: attended };
  }
  /** The spans of those nodes of the part that are nodes of the cone; both ascend. */
  const spread = (of: Int32Array, from: Int32Array, until: Int32Array | number): Spans => {
    const spans = { from: filled(0), until: filled(-1) };
    for (let place = 0, k = 0; place < own.length; place++) {
      while (of[k] < own[place]) k += 1;
      if (of[k] !== own[place]) continue;
      spans.from[place] = from[k];
      spans.until[place] = typeof until === 'number' ? until : until[k];
    }
    return spans;
  };
  if (flow) {
    return {
      rows: { from: filled(0), until: filled(steps - 1) },
      entries: { from: filled(0), until: filled(steps) },
      fans: spread(nodes, since, attention),
    };
  }
  const never: Spans = { from: filled(0), until: filled(-1) };
  const fans = senders ? spread(senders.nodes, senders.since, steps - 1) : never;
  return { rows: spread(nodes, since, steps), entries: never, fans };
}

/** Who of the background is read by an example on whose messages attention acts, and until when. */
function addReads(
  last: Int32Array,
  { kept, own, rows, entries, fans, leaving }: ExamplePart,
  steps: number,
): void {
  for (let k = 0; k < own; k++) {
    // A row of its own begins with the state that the node has in the background; whoever has attention at 0 begins with none.
    if (rows.from[k] <= rows.until[k]) last[k] = Math.max(last[k], rows.from[k] - 1, 0);
    if (entries.from[k] === 0 && entries.until[k] >= 0) last[k] = Math.max(last[k], 0);
    let leaves = Math.min(fans.until[k], steps - 1);
    while (kept && leaves >= fans.from[k] && kept.steps[leaves].sends[k] === 0) leaves -= 1;
    // The transition reads the states of all receivers, while attention leaves.
    for (let i = leaving.offsets[k]; i < leaving.offsets[k + 1]; i++) {
      const end = leaving.ends[i];
      if (last[end] >= leaves) continue;
      const isOwn = end < own && rows.from[end] <= rows.until[end];
      const until = isOwn ? Math.min(leaves, rows.from[end] - 1) : leaves;
      if (until >= fans.from[k] && until > last[end]) last[end] = until;
    }
  }
}
