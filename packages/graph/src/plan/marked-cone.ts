/**
 * Cone plans of regular networks. A state is an example's own once the source's mark can have reached it; all nodes are
 * read at the end, so that nothing can be left out for the loss.
 */
import { rowIndex, segments } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import { conePairs } from './cone-entries.ts';
import type { ConeContext } from './cone-context.ts';
import { IntList } from './int-list.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { Plan, PlanStep } from './plan.ts';
import { carried, planRows, rowsAt } from './state-rows.ts';
import type { RowTable } from './state-rows.ts';
import { pick, typedIds } from './typed-ids.ts';

type ConeParts = Pick<Plan, 'rows' | 'steps' | 'marked'>;

export function markedCone(context: ConeContext): (batch: CheckedBatch) => ConeParts {
  const { graph, steps, reach, kind } = context;
  const { nodeCount } = graph;
  const readsSiblings = kind.messages === 'siblings';
  const stepBetween = readsSiblings ? siblingStepBuilder(context) : endStepBuilder(context);
  return ({ sources, destinations }) => {
    const arrivals = Array.from(sources, readsSiblings ? reach.fromThroughSiblings : reach.from);
    const cone = conePairs(steps, arrivals, undefined);
    const tables = Array.from({ length: steps + 1 }, (_, t) => rowsAt(t, cone, sources.length, nodeCount));
    const last = tables[steps];
    return {
      rows: tables.map((table) => planRows(table, nodeCount)),
      steps: tables.slice(1).map((after, t) => stepBetween(tables[t], after)),
      marked: {
        sources: rowIndex(
          sources.map((node, example) => tables[0].rowOf[example * nodeCount + node]),
          tables[0].count,
        ),
        outputs: rowIndex(last.rowOf, last.count),
        ...(destinations && { targets: rowIndex(destinations, nodeCount) }),
      },
    };
  };
}

type StepBuilder = (before: RowTable, after: RowTable) => PlanStep;

/** Each row of t + 1 receives from the rows that its senders have at t. */
function endStepBuilder({ graph, kind }: ConeContext): StepBuilder {
  const { edgeTypeCount, senders, edgeTypes, byReceiver } = graph;
  const { offsets, permutation } = byReceiver;
  const readsEnds = kind.messages === 'ends';
  const [from, types, into] = [new IntList(), new IntList(), new IntList()];
  return (before, after) => {
    for (const list of [from, types, into]) list.clear();
    for (let row = 0; row < after.count; row++) {
      const [node, pair] = [after.nodes[row], after.pairs[row]];
      for (let i = offsets[node]; i < offsets[node + 1]; i++) {
        const sender = senders[permutation[i]];
        from.push(pair < 0 ? sender : before.rowOf[pair - node + sender]);
        types.push(edgeTypes[permutation[i]]);
        into.push(row);
      }
    }
    const carry = carried(before, after);
    const typed = (rows: Int32Array): RowIndex =>
      rowIndex(typedIds(rows, types.view, edgeTypeCount), before.count * edgeTypeCount);
    const ends = (): { receivers: RowIndex; typedReceivers: RowIndex } => {
      const receivers = pick(carry.toArray(), into.view);
      return { receivers: rowIndex(receivers, before.count), typedReceivers: typed(receivers) };
    };
    return {
      senders: { count: before.count },
      messages: {
        count: from.length,
        senders: rowIndex(from.view, before.count),
        types: rowIndex(types.view, edgeTypeCount),
        typedSenders: typed(from.view),
        ...(readsEnds && ends()),
        into: rowIndex(into.view, after.count),
      },
      carry,
    };
  };
}

/**
 * Where a message depends on all receivers of its sender, a sender is an example's own if its row is, or that of one of
 * its receivers; the others send what the background sends. All that an own sender sends arrives in own rows.
 */
function siblingStepBuilder({ graph, outgoing }: ConeContext): StepBuilder {
  const { nodeCount, edgeTypeCount } = graph;
  const { offsets, senders: senderNodes, receivers, types } = outgoing;
  const fan = { senders: new IntList(), receivers: new IntList(), types: new IntList() };
  const sent = { fanEdges: new IntList(), into: new IntList() };
  const lists = [...Object.values(fan), ...Object.values(sent)];
  const senderRows = new IntList();

  /** Adds all outgoing edges of the sender whose pairs begin at `first`; −1 for the background. */
  const addFan = (node: number, first: number, before: RowTable): void => {
    for (let e = offsets[node]; e < offsets[node + 1]; e++) {
      fan.senders.push(senderRows.length);
      fan.receivers.push(first < 0 ? receivers[e] : before.rowOf[first + receivers[e]]);
      fan.types.push(types[e]);
    }
    senderRows.push(first < 0 ? node : before.rowOf[first + node]);
  };
  const isOwn = (node: number, first: number, before: RowTable): boolean => {
    if (before.rowOf[first + node] >= nodeCount) return true;
    for (let e = offsets[node]; e < offsets[node + 1]; e++) {
      if (before.rowOf[first + receivers[e]] >= nodeCount) return true;
    }
    return false;
  };

  return (before, after) => {
    for (const list of lists) list.clear();
    senderRows.clear();
    // Pair → where the edges of its sender begin in the fan: its own or the background's.
    const fanOf = new Int32Array(before.rowOf.length);
    for (let node = 0; node < nodeCount; node++) addFan(node, -1, before);
    for (let pair = 0; pair < fanOf.length; pair++) {
      const node = pair % nodeCount;
      const own = isOwn(node, pair - node, before);
      fanOf[pair] = own ? fan.senders.length : offsets[node];
      if (own) addFan(node, pair - node, before);
    }
    const { permutation, offsets: incoming } = graph.byReceiver;
    const { inverse } = graph.bySender;
    for (let row = 0; row < after.count; row++) {
      const [node, pair] = [after.nodes[row], after.pairs[row]];
      for (let i = incoming[node]; i < incoming[node + 1]; i++) {
        const position = inverse[permutation[i]];
        const sender = senderNodes[position];
        const begin = pair < 0 ? offsets[sender] : fanOf[pair - node + sender];
        sent.fanEdges.push(begin + position - offsets[sender]);
        sent.into.push(row);
      }
    }
    return siblingStep(before, after);
  };

  function siblingStep(before: RowTable, after: RowTable): PlanStep {
    const count = senderRows.length;
    const [ids, ends, ofType] = [fan.senders.view, fan.receivers.view, fan.types.view];
    const typed = (rows: Int32Array, of: Int32Array, total: number): RowIndex =>
      rowIndex(typedIds(rows, of, edgeTypeCount), total * edgeTypeCount);
    const of = (values: Int32Array): Int32Array => pick(values, sent.fanEdges.view);
    return {
      senders: { count, rows: rowIndex(senderRows.view, before.count) },
      fan: {
        count: ids.length,
        senders: segments(ids, count),
        receivers: rowIndex(ends, before.count),
        types: rowIndex(ofType, edgeTypeCount),
        typedSenders: typed(ids, ofType, count),
        typedReceivers: typed(ends, ofType, before.count),
      },
      messages: {
        count: sent.into.length,
        senders: rowIndex(of(ids), count),
        types: rowIndex(of(ofType), edgeTypeCount),
        typedSenders: typed(of(ids), of(ofType), count),
        receivers: rowIndex(of(ends), before.count),
        typedReceivers: typed(of(ends), of(ofType), before.count),
        fanEdges: rowIndex(sent.fanEdges.view, ids.length),
        into: rowIndex(sent.into.view, after.count),
      },
      carry: carried(before, after),
    };
  }
}
