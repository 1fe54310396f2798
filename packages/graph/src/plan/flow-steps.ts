/**
 * Steps in which attention flows along fans of the examples' own, and acts on messages or on none. Where it acts and all rows
 * are the examples' own, few of them send or receive: what edges read of their ends is made for those alone.
 */
import { deferredIndex, rowIndex, tensor } from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { fetchNeighbours } from './adjacency.ts';
import type { ConeContext } from './cone-context.ts';
import { pickedIndex, planFan, typedIndex } from './derived-indices.ts';
import { IntRoom } from './int-room.ts';
import { Numbering } from './numbering.ts';
import type { FlowStep, PlanFan, PlanMessages } from './plan.ts';
import type { UnrolledBatch } from './unrolled-batch.ts';

/** Fan edge → sender, row of the receiver, type; in room that the next step takes back. */
interface FanLists {
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
  readonly types: Int32Array;
}

/** The other lists of a step. */
interface StepLists extends FanLists {
  /** The fan edges that arrive at an entry, and the entry. */
  readonly arriving: Int32Array;
  readonly arrivals: Int32Array;
  /** Message → fan edge, sender · types + type, row that receives it. */
  readonly fanEdges: Int32Array;
  readonly typedSenders: Int32Array;
  readonly into: Int32Array;
  /** Where attention acts, senders are those with a fan: sender → its row, and its entry. */
  readonly senderRows: Int32Array;
  readonly senderEntries: Int32Array;
}

export function flowStepMaker({ graph, adjacency, kind }: ConeContext): (batch: UnrolledBatch) => FlowStep {
  const { nodeCount, edgeTypeCount, edgeCount } = graph;
  const { offsets, types: edgeTypes, edges } = adjacency.outOf;
  const { offsets: incoming } = graph.byReceiver;
  const { acts, global } = kind;
  const haveAllRows = acts && global;
  const room = new IntRoom();
  const typesOf = { offsets, ends: edgeTypes };

  /** Where attention does not act, the rows of an example stay where they are, one beside the other. */
  const listFans = ({ t, parts, first, times, now }: UnrolledBatch): FanLists => {
    const most = times.leaving[t];
    const values = room.lend(3 * most);
    let fan = 0;
    for (let p = 0; p < parts.length; p++) {
      const { own, nodes } = parts[p];
      const { from, until } = parts[p].fans;
      const { offsets: begins, ends } = parts[p].leaving;
      const firstRow = now[first[p]];
      for (let k = 0; k < own; k++) {
        if (t < from[k] || t > until[k]) continue;
        const last = begins[k + 1];
        const types = offsets[nodes[k]] - begins[k];
        for (let i = begins[k]; i < last; i++, fan++) {
          values[fan] = firstRow + k;
          values[most + fan] = firstRow + ends[i];
          values[2 * most + fan] = edgeTypes[types + i];
        }
      }
    }
    const list = (i: number): Int32Array => values.subarray(i * most, i * most + fan);
    return { senders: list(0), receivers: list(1), types: list(2) };
  };

  const listStep = ({ t, steps, parts, first, times, now, after, entryAfter }: UnrolledBatch): StepLists => {
    const most = times.leaving[t];
    const values = room.lend(8 * most + 2 * times.entries[t]);
    // Where each list begins.
    const [receivers, types, arriving, arrivals] = [most, 2 * most, 3 * most, 4 * most];
    const [fanEdges, typedSenders, into] = [5 * most, 6 * most, 7 * most];
    const [senderRows, senderEntries] = [8 * most, 8 * most + times.entries[t]];
    const noneArrives = times.entries[t + 1] === 0;
    const sendsMessages = acts && t + 1 < steps;
    let [entry, sending, fan, flow, messages] = [0, 0, 0, 0, 0];
    for (let p = 0; p < parts.length; p++) {
      const { own, nodes, entries: withEntry, fans, leaving, kept } = parts[p];
      const { from, until } = withEntry;
      const { offsets: begins, ends } = leaving;
      const begin = first[p];
      const sends = kept?.steps[t].sends;
      const keptEdges = kept?.steps[t].edges;
      if (t === 0) fetchNeighbours(typesOf, nodes, 0, own);
      // This is the innermost loop of planning. It writes to one array and does not branch on what it reads, which makes it
      // fast.
      for (let k = 0; k < own; k++) {
        if (t < from[k] || t > until[k]) continue;
        entry += 1;
        // A node that is cut keeps its entry, but no edge leaves it.
        if (t < fans.from[k] || t > fans.until[k] || sends?.[k] === 0) continue;
        const firstEnd = begins[k];
        const degree = begins[k + 1] - firstEnd;
        const firstEdge = offsets[nodes[k]];
        const sender = acts ? sending : now[begin + k];
        const firstKept = kept?.begins[k] ?? 0;
        for (let i = 0; i < degree; i++) {
          const receiver = begin + ends[firstEnd + i];
          const type = edgeTypes[firstEdge + i];
          values[fan + i] = sender;
          values[receivers + fan + i] = now[receiver];
          values[types + fan + i] = type;
          if (noneArrives) continue;
          const isKept = keptEdges === undefined || keptEdges[firstKept + i] === 1;
          // The edge is written in any case. Where its receiver has no entry, the count does not move on, so that the
          // next edge overwrites it: n >> 31 is −1 for negative n, else 0. Messages into the background are overwritten so, too.
          const arrival = isKept ? entryAfter[receiver] : -1;
          values[arriving + flow] = fan + i;
          values[arrivals + flow] = arrival;
          flow += 1 + (arrival >> 31);
          if (!sendsMessages) continue;
          const rowAfter = isKept ? after[receiver] : -1;
          values[fanEdges + messages] = fan + i;
          values[typedSenders + messages] = sender * edgeTypeCount + type;
          values[into + messages] = rowAfter;
          messages += 1 + (rowAfter >> 31);
        }
        fan += degree;
        values[senderRows + sending] = now[begin + k];
        values[senderEntries + sending] = entry - 1;
        sending += 1;
      }
    }
    return {
      senders: values.subarray(0, fan),
      receivers: values.subarray(receivers, receivers + fan),
      types: values.subarray(types, types + fan),
      arriving: values.subarray(arriving, arriving + flow),
      arrivals: values.subarray(arrivals, arrivals + flow),
      fanEdges: values.subarray(fanEdges, fanEdges + messages),
      typedSenders: values.subarray(typedSenders, typedSenders + messages),
      into: values.subarray(into, into + messages),
      senderRows: values.subarray(senderRows, senderRows + sending),
      senderEntries: values.subarray(senderEntries, senderEntries + sending),
    };
  };

  /** Where there are many rows and few are read: those, which are numbered in `ids` from now on. */
  const numbered = (ids: Int32Array, rows: number): RowIndex => {
    const numbers = new Numbering(rows);
    for (let k = 0; k < ids.length; k++) ids[k] = numbers.of(ids[k]);
    return rowIndex(numbers.ids.subarray(0, numbers.count), rows);
  };

  /** Where all nodes of all examples have rows. */
  const exampleOf = (row: number): number => Math.floor(row / nodeCount);

  /** The edges of the fans of t, as example · edgeCount + edge of the graph. */
  const outputsOf = ({ t, parts }: UnrolledBatch): RowIndex => {
    const outputs = (): number[] => {
      const result: number[] = [];
      parts.forEach(({ own, nodes, fans, kept }, example) => {
        const sends = kept?.steps[t].sends;
        for (let k = 0; k < own; k++) {
          if (t < fans.from[k] || t > fans.until[k] || sends?.[k] === 0) continue;
          for (let e = offsets[nodes[k]]; e < offsets[nodes[k] + 1]; e++) {
            result.push(example * edgeCount + edges[e]);
          }
        }
      });
      return result;
    };
    return deferredIndex(outputs, parts.length * edgeCount);
  };

  /** How many messages the nodes receive whose background is read. */
  const received = ({ shared: { nodes } }: UnrolledBatch): Float32Array => {
    const counts = new Float32Array(nodes!.length);
    for (let place = 0; place < counts.length; place++) {
      counts[place] = incoming[nodes![place] + 1] - incoming[nodes![place]];
    }
    return counts;
  };

  /** [rows, 1]: how many messages without attention each row of t + 1 receives. */
  const unattended = (batch: UnrolledBatch, into: Int32Array): Tensor => {
    const { placesAfter } = batch;
    const all = (batch.received ??= received(batch));
    const counts = new Float32Array(placesAfter.length);
    for (let row = 0; row < counts.length; row++) counts[row] = all[placesAfter[row]];
    for (let k = 0; k < into.length; k++) counts[into[k]] -= 1;
    return tensor(counts, { shape: [counts.length, 1] });
  };

  const planMessages = (
    batch: UnrolledBatch,
    lists: StepLists,
    fan: PlanFan,
    entries: RowIndex,
  ): PlanMessages => {
    const { into } = lists;
    const fanEdges = into.length < fan.count ? rowIndex(lists.fanEdges, fan.count) : undefined;
    const ofFan = (index: RowIndex): RowIndex => (fanEdges ? pickedIndex(index, fanEdges) : index);
    const senders = ofFan(fan.senders);
    const types = ofFan(fan.types);
    const attention = entries === fan.senders ? senders : ofFan(entries);
    const receivers = kind.reads === 'sender' ? undefined : ofFan(fan.receivers);
    const examples = haveAllRows
      ? deferredIndex(() => attention.toArray().map((row) => exampleOf(row)), batch.parts.length)
      : undefined;
    return {
      count: into.length,
      senders,
      types,
      typedSenders: rowIndex(lists.typedSenders, fan.senders.rows * edgeTypeCount),
      receivers,
      typedReceivers: receivers && typedIndex(receivers, types),
      fanEdges,
      examples,
      typedExamples: examples && typedIndex(examples, types),
      attention,
      into: rowIndex(into, batch.placesAfter.length),
      unattended: unattended(batch, into),
    };
  };

  /** What each row carries on; absent where rows stay, or nothing reads those of t + 1. */
  const carryOf = (batch: UnrolledBatch): RowIndex | undefined =>
    batch.t + 1 === batch.steps || batch.rowsStay(batch.t + 1)
      ? undefined
      : rowIndex(batch.carry, batch.rowsAt(batch.t));

  /** Where attention does not act and nothing is cut, entries are rows, and every edge arrives, where its receiver is. */
  const wholeStep = (batch: UnrolledBatch): FlowStep => {
    const count = batch.rowsAt(batch.t);
    const fan = planFan(listFans(batch), { senders: count, rows: count, types: edgeTypeCount });
    return {
      senders: { count },
      fan,
      flow: {
        count: fan.count,
        entries: fan.senders,
        arrivals: fan.receivers,
        outputs: outputsOf(batch),
      },
      carry: carryOf(batch),
    };
  };

  return (batch) => {
    const { t, steps, times, parts } = batch;
    if (!acts && parts.every(({ kept }) => !kept)) return wholeStep(batch);
    const lists = listStep(batch);
    const rows = batch.rowsAt(t);
    const senderRows = acts ? rowIndex(lists.senderRows, rows) : undefined;
    const senders = senderRows ? { count: senderRows.length, rows: senderRows } : { count: rows };
    const receiverRows = haveAllRows ? numbered(lists.receivers, rows) : undefined;
    const receivers = receiverRows && { count: receiverRows.length, rows: receiverRows };
    const fan = planFan(lists, {
      senders: senders.count,
      rows: receivers?.count ?? rows,
      types: edgeTypeCount,
    });
    // Where attention does not act, examples have all rows, and entries are rows.
    const isEntry = !acts || senders.count === times.entries[t];
    const entries = isEntry
      ? fan.senders
      : pickedIndex(rowIndex(lists.senderEntries, times.entries[t]), fan.senders);
    const arriving = lists.arriving.length < fan.count ? rowIndex(lists.arriving, fan.count) : undefined;
    return {
      senders,
      receivers,
      fan,
      flow: {
        count: fan.count,
        entries,
        arriving,
        arrivals: rowIndex(lists.arrivals, times.entries[t + 1]),
        outputs: outputsOf(batch),
      },
      messages: acts && t + 1 < steps ? planMessages(batch, lists, fan, entries) : undefined,
      carry: carryOf(batch),
    };
  };
}
