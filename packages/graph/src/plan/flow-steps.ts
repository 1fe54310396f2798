/**
 * Steps in which attention flows along fans of the examples' own, and acts on messages or on none. Where it acts and all rows
 * are the examples' own, few of them send or receive: what edges read of their ends is made for those alone.
 */
import { deferredIndex, rowIndex, tensor } from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { pickedIndex, planFan, splitTypedIndex, typedIndex } from './derived-indices.ts';
import { createSlab, cut } from './int-scratch.ts';
import type { IntLists } from './int-scratch.ts';
import { createPlacing } from './placing.ts';
import type { FlowStep, PlanFan, PlanMessages } from './plan.ts';
import type { UnrolledBatch } from './unrolled-batch.ts';

const fanLists = ['senders', 'receivers', 'types'] as const;
const flowLists = ['arriving', 'arrivals'] as const;
const messageLists = ['fanEdges', 'typedSenders', 'into'] as const;
const edgeLists = [...fanLists, ...flowLists, ...messageLists] as const;

interface StepLists extends IntLists<(typeof edgeLists)[number]> {
  /** Sender at t → row of its node. Where attention acts, the senders are the entries, or those of them that have a fan. */
  readonly senderRows: Int32Array;
}

export function flowStepMaker({ graph, outgoing, kind }: ConeContext): (batch: UnrolledBatch) => FlowStep {
  const { nodeCount, edgeTypeCount, edgeCount } = graph;
  const { offsets, types: edgeTypes, edges } = outgoing;
  const { offsets: incoming } = graph.byReceiver;
  const { acts, global } = kind;
  const areFew = acts && global;
  const roomFor = createSlab(...edgeLists);
  const placed = createPlacing();

  const listStep = ({ t, parts, first, times, now, after, entryAfter }: UnrolledBatch): StepLists => {
    const slab = roomFor(times.leaving[t]);
    const { values } = slab;
    const { senders, receivers, types, arriving, arrivals, fanEdges, typedSenders, into } = slab.start;
    const senderRows = new Int32Array(times.entries[t]);
    // Where examples have all rows and nothing is cut, every edge arrives, where its receiver is.
    const allArrive = !acts && parts.every(({ cone }) => !cone.kept);
    let [sending, fan, flow, messages] = [0, 0, 0, 0];
    for (let p = 0; p < parts.length; p++) {
      const { own, nodes, entries: withEntry, fans, leaving, cone } = parts[p];
      const begin = first[p];
      const carriedOn = cone.kept?.[t];
      const keptEdges = carriedOn?.edges;
      // This is the innermost loop of planning. It writes to one array and does not branch on what it reads, which makes it
      // fast.
      for (let k = 0; k < own; k++) {
        if (t < withEntry.from[k] || t > withEntry.until[k]) continue;
        const row = now[begin + k];
        // Who is cut stays an entry that no edge leaves.
        const isCut = t < fans.from[k] || t > fans.until[k] || carriedOn?.senders.has(nodes[k]) === false;
        const sender = acts ? sending : row;
        senderRows[sending] = row;
        if (!(areFew && isCut)) sending += 1;
        if (isCut) continue;
        const begins = leaving.offsets[k];
        const degree = leaving.offsets[k + 1] - begins;
        const firstEdge = offsets[nodes[k]];
        for (let i = 0; i < degree; i++) {
          values[senders + fan + i] = sender;
          values[receivers + fan + i] = now[begin + leaving.ends[begins + i]];
          values[types + fan + i] = edgeTypes[firstEdge + i];
        }
        for (let i = 0; !allArrive && i < degree; i++) {
          const receiver = begin + leaving.ends[begins + i];
          // The edge is written in any case. Where its receiver has no entry, the count does not move on, so that the
          // next edge overwrites it: n >> 31 is −1 for negative n, else 0. So it is with messages into the background.
          const arrival = keptEdges?.has(firstEdge + i) === false ? -1 : entryAfter[receiver];
          values[arriving + flow] = fan + i;
          values[arrivals + flow] = arrival;
          flow += 1 + (arrival >> 31);
        }
        for (let i = 0; acts && i < degree; i++) {
          const receiver = begin + leaving.ends[begins + i];
          const rowAfter = keptEdges?.has(firstEdge + i) === false ? -1 : after[receiver];
          values[fanEdges + messages] = fan + i;
          values[typedSenders + messages] = sender * edgeTypeCount + edgeTypes[firstEdge + i];
          values[into + messages] = rowAfter;
          messages += 1 + (rowAfter >> 31);
        }
        fan += degree;
      }
    }
    return {
      ...cut(slab, fanLists, fan),
      ...cut(slab, flowLists, allArrive ? fan : flow),
      ...cut(slab, messageLists, messages),
      senderRows: senderRows.subarray(0, sending),
    };
  };

  /** Where all nodes of all examples have rows. */
  const exampleOf = (row: number): number => Math.floor(row / nodeCount);

  /** The edges of the fans of t, as example · edgeCount + edge of the graph. */
  const outputsOf = ({ t, parts }: UnrolledBatch): RowIndex => {
    const outputs = (): number[] => {
      const result: number[] = [];
      parts.forEach(({ own, nodes, fans, cone }, example) => {
        const senders = cone.kept?.[t].senders;
        for (let k = 0; k < own; k++) {
          if (t < fans.from[k] || t > fans.until[k] || (senders && !senders.has(nodes[k]))) continue;
          for (let e = offsets[nodes[k]]; e < offsets[nodes[k] + 1]; e++) {
            result.push(example * edgeCount + edges[e]);
          }
        }
      });
      return result;
    };
    return deferredIndex(outputs, parts.length * edgeCount);
  };

  /** [rows, 1]: how many messages without attention each row of t + 1 receives. */
  const unattended = ({ shared: { nodes }, placesAfter }: UnrolledBatch, into: Int32Array): Tensor => {
    const counts = new Float32Array(placesAfter.length);
    for (let row = 0; row < counts.length; row++) {
      const node = nodes![placesAfter[row]];
      counts[row] = incoming[node + 1] - incoming[node];
    }
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
    const typedSenders = rowIndex(lists.typedSenders, fan.senders.rows * edgeTypeCount);
    const isFan = into.length === fan.count;
    const fanEdges = isFan ? undefined : rowIndex(lists.fanEdges, fan.count);
    const { ids: senders, types } = isFan
      ? { ids: fan.senders, types: fan.types }
      : splitTypedIndex(typedSenders, edgeTypeCount);
    const carried = (index: RowIndex): RowIndex => (fanEdges ? pickedIndex(index, fanEdges) : index);
    const receivers = carried(fan.receivers);
    const attention = areFew ? carried(entries) : senders;
    const examples =
      areFew && deferredIndex(() => attention.toArray().map((row) => exampleOf(row)), batch.parts.length);
    return {
      count: into.length,
      senders,
      types,
      typedSenders,
      receivers,
      typedReceivers: typedIndex(receivers, types),
      ...(fanEdges && { fanEdges }),
      ...(examples && { examples, typedExamples: typedIndex(examples, types) }),
      attention,
      into: rowIndex(into, batch.placesAfter.length),
      unattended: unattended(batch, into),
    };
  };

  return (batch) => {
    const { t, steps, times } = batch;
    const lists = listStep(batch);
    const rows = batch.rowsAt(t);
    const senderRows = acts ? rowIndex(lists.senderRows, rows) : undefined;
    const senders = senderRows ? { count: senderRows.length, rows: senderRows } : { count: rows };
    const read = areFew ? placed(lists.receivers, rows) : undefined;
    const receivers = read && { count: read.ids.length, rows: rowIndex(read.ids, rows) };
    const fan = planFan(read ? { ...lists, receivers: read.places } : lists, {
      senders: senders.count,
      rows: receivers?.count ?? rows,
      types: edgeTypeCount,
    });
    // Where examples have all rows, entries are rows.
    const entries = areFew ? pickedIndex(senderRows!, fan.senders) : fan.senders;
    const { arriving, arrivals } = lists;
    const isSome = arriving.length < fan.count;
    const isWhole = !acts && !isSome;
    return {
      senders,
      ...(receivers && { receivers }),
      fan,
      flow: {
        count: fan.count,
        entries,
        ...(isSome && { arriving: rowIndex(arriving, fan.count) }),
        arrivals: isWhole ? fan.receivers : rowIndex(arrivals, times.entries[t + 1]),
        outputs: outputsOf(batch),
      },
      ...(acts && t + 1 < steps && { messages: planMessages(batch, lists, fan, entries) }),
      ...(t + 1 < steps && !batch.rowsStay(t + 1) && { carry: rowIndex(batch.carry, rows) }),
    };
  };
}
