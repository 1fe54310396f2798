/** What one example contributes to a plan with one set of entries for all times. */
import { rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { perCone } from './cone-search.ts';
import { isCut } from './example-cone.ts';
import type { ExampleCone, KeptStep } from './example-cone.ts';
import { IntRoom } from './int-room.ts';

/** Entries of the example are numbered from 0. */
export interface FlowPart {
  /** Entry → node. */
  readonly nodes: Int32Array;
  /** The entry of its source. */
  readonly source: RowIndex;
  /** The entry of its destination, if it has one. */
  readonly destination?: RowIndex;
  /** Flow edge → position among the outgoing edges of the graph. */
  readonly fanEdges: RowIndex;
  /** Flow edge → the entry that it leaves. */
  readonly entries: RowIndex;
  /** Alike at all steps, or one for each where not all attention is carried on. */
  readonly arrivals: readonly FlowArrivals[];
}

export interface FlowArrivals {
  /** The flow edges that arrive at an entry; absent where all do. */
  readonly arriving?: RowIndex;
  /** Where they arrive. */
  readonly at: RowIndex;
}

type PartOf = (cone: ExampleCone, source: number, destination: number | undefined) => FlowPart;

/** Makes the part of an example or, as epochs come back to the same cones, gives the one it made before. */
export const flowPartMaker = (context: ConeContext): PartOf => perCone(partBuilder(context));

function partBuilder({ graph, adjacency, numbering }: ConeContext): PartOf {
  const { edgeCount } = graph;
  const { offsets, ends } = adjacency.outOf;
  const room = new IntRoom();

  return (cone, source, destination) => {
    const { nodes, since, attention, kept } = cone;
    let most = 0;
    numbering.clear();
    for (let entry = 0; entry < nodes.length; entry++) {
      numbering.of(nodes[entry]);
      most += offsets[nodes[entry] + 1] - offsets[nodes[entry]];
    }
    const values = room.lend(3 * most);
    const [fanEdges, entries, arrivals] = [0, 1, 2].map((list) =>
      values.subarray(list * most, (list + 1) * most),
    );
    let count = 0;
    for (let entry = 0; entry < nodes.length; entry++) {
      const node = nodes[entry];
      if (isCut(kept, entry)) continue;
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        const arrival = numbering.find(ends[e]);
        // Attention can use an edge only if it can be at the sender early enough to be needed at the receiver.
        if (!kept && (arrival < 0 || since[entry] >= attention[arrival])) continue;
        fanEdges[count] = e;
        entries[count] = entry;
        arrivals[count++] = arrival;
      }
    }
    const among = (ids: ArrayLike<number>, rows: number): RowIndex => unowned(rowIndex(ids, rows));
    const arrivalsAt = ({ sends, edges }: KeptStep): FlowArrivals => {
      const arriving: number[] = [];
      for (let k = 0; k < count; k++) {
        const entry = entries[k];
        if (arrivals[k] < 0 || sends[entry] === 0) continue;
        if (edges && edges[kept!.begins[entry] + fanEdges[k] - offsets[nodes[entry]]] === 0) continue;
        arriving.push(k);
      }
      return {
        arriving: among(arriving, count),
        at: among(
          arriving.map((k) => arrivals[k]),
          nodes.length,
        ),
      };
    };
    const entryIn = (node: number): RowIndex => among([numbering.of(node)], nodes.length);
    return {
      nodes,
      source: entryIn(source),
      ...(destination !== undefined && { destination: entryIn(destination) }),
      fanEdges: among(fanEdges.subarray(0, count), edgeCount),
      entries: among(entries.subarray(0, count), nodes.length),
      arrivals: kept?.steps.map(arrivalsAt) ?? [{ at: among(arrivals.subarray(0, count), nodes.length) }],
    };
  };
}

/** Takes an index out of the scope it was made in. An index that is only joined to others has no memory on a device to free. */
function unowned(index: RowIndex): RowIndex {
  index.owner?.disown(index);
  return index;
}
