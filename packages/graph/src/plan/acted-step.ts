/** The walk over the edges of a step in which attention acts on messages: all that a plan lists of it. */
import type { BatchBackground } from './background-reads.ts';
import { fanSize } from './cone-times.ts';
import type { ConeContext } from './cone-context.ts';
import type { ExampleCone } from './example-cone.ts';
import { createSlab, cut } from './int-scratch.ts';
import type { IntLists } from './int-scratch.ts';

const edgeLists = [
  ...(['senders', 'receivers', 'types'] as const),
  ...(['arriving', 'arrivals'] as const),
  ...(['fanEdges', 'typedSenders', 'into'] as const),
] as const;

/** What one step has. The lists of edges belong to the walk, which lends them for the time of a visit. */
export interface ActedStepLists extends IntLists<(typeof edgeLists)[number]> {
  /** Row at t + 1 → place of its node in the background. */
  readonly placesAfter: Int32Array;
  /** Entry at t → row of its node. */
  readonly senderRows: Int32Array;
  /** Row at t + 1 → the row at t that has its state. */
  readonly carry: Int32Array;
}

/** The cones of a batch, the background they read, and how many entries, and rows of their own, examples have at each time. */
export interface ActedBatch {
  /** T of the batch. */
  readonly steps: number;
  readonly cones: readonly ExampleCone[];
  readonly background: BatchBackground;
  readonly entries: Int32Array;
  readonly own: Int32Array;
}

/** Calls `visit` with what each step of a batch has, from the first to the last. */
export function actedStepWalk({
  graph,
  outgoing,
  kind: { asks = false },
}: ConeContext): (batch: ActedBatch, visit: (t: number, lists: ActedStepLists) => void) => void {
  const { nodeCount, edgeTypeCount } = graph;
  const { offsets, receivers: receiverNodes, types: edgeTypes } = outgoing;
  const table = (): Int32Array => new Int32Array(nodeCount).fill(-1);
  /** Node → row at t: its own of the example at hand, or else its place in the background. */
  const [placeOf, rowOf] = [table(), table()];
  /** Node → row and entry at t + 1 that the example at hand has of its own, −1 for none. */
  const [rowAfter, entryAfter] = [table(), table()];
  const roomFor = createSlab(...edgeLists);

  /** Puts the nodes of an example back to the background. */
  const leave = (nodes: Int32Array): void => {
    for (let k = 0; k < nodes.length; k++) {
      rowOf[nodes[k]] = placeOf[nodes[k]];
      rowAfter[nodes[k]] = entryAfter[nodes[k]] = -1;
    }
  };

  const stepAt = (
    t: number,
    { steps, cones, background, entries: entryCounts, own }: ActedBatch,
  ): ActedStepLists => {
    const shared = background.counts[t];
    // Nothing reads a state at T.
    const hasAfter = t + 1 < steps;
    const sharedAfter = hasAfter ? background.counts[t + 1] : 0;
    const slab = roomFor(fanSize(cones, t, outgoing));
    const { values } = slab;
    const { senders, receivers, types, arriving, arrivals, fanEdges, typedSenders, into } = slab.start;
    const senderRows = new Int32Array(entryCounts[t]);
    const countAfter = hasAfter ? sharedAfter + own[t + 1] : 0;
    const [carry, placesAfter] = [new Int32Array(countAfter), new Int32Array(countAfter)];
    for (let place = 0; place < sharedAfter; place++) {
      carry[place] = placesAfter[place] = place;
    }
    let [rows, rowsAfter, entries, entriesAfter] = [shared, sharedAfter, 0, 0];
    let [fan, flow, messages] = [0, 0, 0];
    for (const { nodes, since, attention, states, kept } of cones) {
      const carriedOn = kept?.[t];
      const keptEdges = carriedOn?.edges;
      for (let k = 0; k < nodes.length; k++) {
        const node = nodes[k];
        if (t + 1 < since[k]) continue;
        // At the beginning the source alone has a row of its own, and only where it is asked something.
        if (t === 0 ? asks && since[k] === 0 : t >= since[k] && t <= states[k]) rowOf[node] = rows++;
        if (t + 1 <= attention[k]) entryAfter[node] = entriesAfter++;
        if (hasAfter && t + 1 <= states[k]) {
          carry[rowsAfter] = rowOf[node];
          placesAfter[rowsAfter] = placeOf[node];
          rowAfter[node] = rowsAfter++;
        }
      }
      // This is the innermost loop of planning. It writes to one array and does not branch on what it reads, which makes it
      // fast.
      for (let k = 0; k < nodes.length; k++) {
        if (t < since[k] || t > attention[k]) continue;
        const node = nodes[k];
        senderRows[entries] = rowOf[node];
        // Who is cut stays an entry that no edge leaves.
        const end = carriedOn && !carriedOn.senders.has(node) ? offsets[node] : offsets[node + 1];
        for (let e = offsets[node]; e < end; e++) {
          const receiver = receiverNodes[e];
          const type = edgeTypes[e];
          values[senders + fan] = entries;
          values[receivers + fan] = rowOf[receiver];
          values[types + fan] = type;
          // The edge is written in any case. Where its receiver has no entry, the count does not move on, so that the
          // next edge overwrites it: n >> 31 is −1 for negative n, else 0. So it is with messages into the background.
          const isCut = keptEdges !== undefined && !keptEdges.has(e);
          const arrival = isCut ? -1 : entryAfter[receiver];
          values[arriving + flow] = fan;
          values[arrivals + flow] = arrival;
          flow += 1 + (arrival >> 31);
          const after = isCut ? -1 : rowAfter[receiver];
          values[fanEdges + messages] = fan;
          values[typedSenders + messages] = entries * edgeTypeCount + type;
          values[into + messages] = after;
          messages += 1 + (after >> 31);
          fan += 1;
        }
        entries += 1;
      }
      leave(nodes);
    }
    return {
      ...cut(slab, ['senders', 'receivers', 'types'], fan),
      ...cut(slab, ['arriving', 'arrivals'], flow),
      ...cut(slab, ['fanEdges', 'typedSenders', 'into'], messages),
      placesAfter,
      senderRows,
      carry,
    };
  };

  return (batch, visit) => {
    const { nodes } = batch.background;
    nodes.forEach((node, place) => (placeOf[node] = place));
    leave(nodes);
    for (let t = 0; t < batch.steps; t++) visit(t, stepAt(t, batch));
    for (const node of nodes) placeOf[node] = -1;
    leave(nodes);
  };
}
