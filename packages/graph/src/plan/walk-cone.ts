/**
 * Cone plans of random walks with a global state that reads h̄ = Σ aᵢhᵢ. Without messages a state depends on nothing but
 * its own past and the global state, and that only on nodes with attention. So an example has rows of the nodes that
 * attention leaves at some time, and of their receivers; a row is there from the beginning, as its state changes with
 * the global state before attention arrives. Edges leave only nodes that have attention.
 */
import { deferredIndex, rowIndex, segments } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import { fanOutputs, fanSize } from './cone-times.ts';
import { isAsGoodAsDense } from './cone-context.ts';
import type { ConeBatch, ConeContext } from './cone-context.ts';
import { planFan } from './derived-indices.ts';
import { perCone } from './example-cone.ts';
import type { ExampleCone } from './example-cone.ts';
import { createSlab, cut } from './int-scratch.ts';
import type { FlowParts, FlowStep, PlanEntries, PlanRows } from './plan.ts';

/** What an example contributes: its rows are numbered from 0. */
interface WalkPart {
  readonly cone: ExampleCone;
  /** Row → node; ascending. */
  readonly nodes: Int32Array;
  /** The rows of the cone's nodes. */
  readonly senders: Int32Array;
  /** The rows of the receivers of all edges that leave the cone's nodes, node by node. */
  readonly receivers: Int32Array;
}

/** A part, and the number of its first row in the batch. */
type Placed = WalkPart & { readonly first: number };

export function walkCone(context: ConeContext): (batch: ConeBatch) => FlowParts | undefined {
  const { graph, outgoing, conesOf } = context;
  const { nodeCount, edgeTypeCount } = graph;
  const partOf = perCone(partBuilder(context));
  const roomFor = createSlab('senders', 'receivers', 'types', 'arriving', 'arrivals');
  const placed = createPlacing(nodeCount);

  const stepAt = (t: number, parts: readonly Placed[], rows: number): FlowStep => {
    const cones = parts.map(({ cone }) => cone);
    const slab = roomFor(fanSize(cones, t, outgoing));
    const { values } = slab;
    const { senders: toSenders, receivers: toReceivers, types: toTypes, arriving, arrivals } = slab.start;
    const { offsets, types } = outgoing;
    let [count, flow] = [0, 0];
    for (const { cone, senders, receivers, first } of parts) {
      const { nodes, since, attention, kept } = cone;
      const carriedOn = kept?.[t];
      let edge = 0;
      for (let k = 0; k < nodes.length; k++) {
        const [begin, end] = [offsets[nodes[k]], offsets[nodes[k] + 1]];
        const isSender = carriedOn === undefined || carriedOn.senders.has(nodes[k]);
        if (isSender && t >= since[k] && t <= attention[k]) {
          const sender = first + senders[k];
          for (let e = begin; e < end; e++) {
            values[toSenders + count] = sender;
            values[toReceivers + count] = first + receivers[edge + e - begin];
            values[toTypes + count] = types[e];
            values[arriving + flow] = count;
            values[arrivals + flow] = first + receivers[edge + e - begin];
            if (carriedOn?.edges?.has(e) ?? true) flow += 1;
            count += 1;
          }
        }
        edge += end - begin;
      }
    }
    const lists = cut(slab, ['senders', 'receivers', 'types'], count);
    const fan = planFan(lists, { senders: rows, rows, types: edgeTypeCount });
    const outputs = fanOutputs(cones, t, outgoing);
    const some = flow < count ? cut(slab, ['arriving', 'arrivals'], flow) : undefined;
    return {
      senders: { count: rows },
      fan,
      flow: {
        count,
        entries: fan.senders,
        ...(some && { arriving: rowIndex(some.arriving, count) }),
        arrivals: some ? rowIndex(some.arrivals, rows) : fan.receivers,
        outputs,
      },
    };
  };

  return (batch) => {
    const { sources, destinations, steps } = batch;
    const parts: Placed[] = [];
    let count = 0;
    conesOf(batch).forEach((cone, example) => {
      const [source, destination] = [sources[example], destinations?.[example]];
      const part = partOf(cone, destination === undefined ? [source] : [source, destination], steps);
      parts.push({ ...part, first: count });
      count += part.nodes.length;
    });
    if (!batch.kept && isAsGoodAsDense(count * steps, batch, nodeCount)) return undefined;
    const byRow = (idOf: (node: number, example: number) => number): Int32Array => {
      const ids = new Int32Array(count);
      parts.forEach(({ nodes, first }, example) => {
        for (let k = 0; k < nodes.length; k++) ids[first + k] = idOf(nodes[k], example);
      });
      return ids;
    };
    const rowsOf = (ends: Int32Array): RowIndex =>
      rowIndex(
        ends.map((node, example) => parts[example].first + parts[example].nodes.indexOf(node)),
        count,
      );
    const { nodes, places } = placed(byRow((node) => node));
    const rows: PlanRows = {
      count,
      nodes: rowIndex(places, nodes.length),
      examples: segments(
        byRow((_, example) => example),
        sources.length,
      ),
    };
    const pairs = (): Int32Array => byRow((node, example) => example * nodeCount + node);
    const entries: PlanEntries = { count, outputs: deferredIndex(pairs, sources.length * nodeCount) };
    return {
      nodes: rowIndex(nodes, nodeCount),
      rows: new Array<PlanRows>(steps).fill(rows),
      steps: Array.from({ length: steps }, (_, t) => stepAt(t, parts, count)),
      entries: new Array<PlanEntries>(steps + 1).fill(entries),
      sources: rowsOf(sources),
      ...(batch.asked && { starts: rowsOf(sources) }),
      ...(destinations && { targets: rowsOf(destinations) }),
    };
  };
}

function partBuilder({
  graph,
  outgoing,
}: ConeContext): (cone: ExampleCone, ends: readonly number[], steps: number) => WalkPart {
  const { offsets, receivers } = outgoing;
  const rowOf = new Int32Array(graph.nodeCount).fill(-1);
  return (cone, ends, steps) => {
    const { kept } = cone;
    const found: number[] = [];
    const add = (node: number): void => {
      if (rowOf[node] >= 0) return;
      rowOf[node] = 0;
      found.push(node);
    };
    ends.forEach(add);
    /** Where the edges that leave the nodes of the cone lead to. */
    const arrivals: number[] = [];
    cone.nodes.forEach((node, k) => {
      const isIn = cone.since[k] <= cone.attention[k] && cone.since[k] < steps;
      // Where a cut leaves its attention, the global state still reads it.
      if (isIn) add(node);
      const leaves = isIn && (kept?.some(({ senders }) => senders.has(node)) ?? true);
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        arrivals.push(receivers[e]);
        if (leaves) add(receivers[e]);
      }
    });
    const nodes = Int32Array.from(found).sort();
    nodes.forEach((node, row) => (rowOf[node] = row));
    const rowsOf = (of: ArrayLike<number>): Int32Array => Int32Array.from(of, (node) => rowOf[node]);
    const part = { cone, nodes, senders: rowsOf(cone.nodes), receivers: rowsOf(arrivals) };
    for (const node of nodes) rowOf[node] = -1;
    return part;
  };
}

/** Gives each distinct node a place, in the order in which they come. */
function createPlacing(
  nodeCount: number,
): (ids: Int32Array) => { readonly nodes: readonly number[]; readonly places: Int32Array } {
  const placeOf = new Int32Array(nodeCount).fill(-1);
  return (ids) => {
    const nodes: number[] = [];
    for (let k = 0; k < ids.length; k++) {
      if (placeOf[ids[k]] >= 0) continue;
      placeOf[ids[k]] = nodes.length;
      nodes.push(ids[k]);
    }
    const places = ids.map((node) => placeOf[node]);
    for (const node of nodes) placeOf[node] = -1;
    return { nodes, places };
  };
}
