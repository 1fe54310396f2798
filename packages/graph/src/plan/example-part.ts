/** What one example contributes to a plan with one set of entries for all times. */
import { rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { createScratch } from './int-scratch.ts';

/** Entries of the example are numbered from 0. */
export interface ExamplePart {
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
  /** Flow edge → the entry where it arrives. */
  readonly arrivals: RowIndex;
}

type PartOf = (source: number, destination: number | undefined, lossOnly: boolean) => ExamplePart;

/**
 * How many ids are kept at most: 32 MB of them. An epoch of 1234 pairs on 921 nodes takes half of that; when there are more,
 * all are forgotten and made anew.
 */
const capacity = 2 ** 23;

/** Makes the part of an example or, as epochs come back to the same pairs, gives the one it made before. */
export function examplePartMaker(context: ConeContext): PartOf {
  const { nodeCount } = context.graph;
  const make = partBuilder(context);
  const known = new Map<number, ExamplePart>();
  let kept = 0;
  return (source, destination, lossOnly) => {
    const key = ((destination ?? nodeCount) * nodeCount + source) * 2 + Number(lossOnly);
    const found = known.get(key);
    if (found) return found;
    const part = make(source, destination, lossOnly);
    const size = part.nodes.length + 3 * part.entries.length;
    kept += size;
    if (kept > capacity) {
      known.clear();
      kept = size;
    }
    known.set(key, part);
    return part;
  };
}

function partBuilder({ graph, outgoing, reach, steps }: ConeContext): PartOf {
  const { nodeCount, edgeCount } = graph;
  const { offsets, receivers } = outgoing;
  const tables = createScratch('entryOf', 'until');
  const flow = createScratch('fanEdges', 'entries', 'arrivals');
  return (source, destination, lossOnly) => {
    const from = reach.from(source);
    const need = lossOnly ? reach.hopsTo(destination!) : undefined;
    const { entryOf, until } = tables(nodeCount);
    const nodes: number[] = [];
    const add = (node: number): void => {
      entryOf[node] = nodes.length;
      nodes.push(node);
    };
    for (let node = 0; node < nodeCount; node++) {
      entryOf[node] = -1;
      until[node] = need ? steps - need[node] : steps;
      if (from[node] <= until[node]) add(node);
    }
    const { fanEdges, entries, arrivals } = flow(edgeCount);
    let count = 0;
    for (let entry = 0; entry < nodes.length; entry++) {
      const node = nodes[entry];
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        const arrival = entryOf[receivers[e]];
        // Attention can use an edge only if it can be at the sender early enough to be needed at the receiver.
        if (arrival < 0 || from[node] >= until[receivers[e]]) continue;
        fanEdges[count] = e;
        entries[count] = entry;
        arrivals[count++] = arrival;
      }
    }
    // A source or destination outside the cone has an entry too, which no edge leads to.
    for (const end of destination === undefined ? [source] : [source, destination]) {
      if (entryOf[end] < 0) add(end);
    }
    const among = (ids: ArrayLike<number>): RowIndex => unowned(rowIndex(ids, nodes.length));
    return {
      nodes: Int32Array.from(nodes),
      source: among([entryOf[source]]),
      ...(destination !== undefined && { destination: among([entryOf[destination]]) }),
      fanEdges: unowned(rowIndex(fanEdges.subarray(0, count), edgeCount)),
      entries: among(entries.subarray(0, count)),
      arrivals: among(arrivals.subarray(0, count)),
    };
  };
}

/** Takes an index out of the scope it was made in. An index that is only joined to others has no memory on a device to free. */
function unowned(index: RowIndex): RowIndex {
  index.owner?.disown(index);
  return index;
}
