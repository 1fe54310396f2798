/** What one example contributes to a plan with one set of entries for all times. */
import { rowIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { ConeContext } from './cone-context.ts';
import { perCone } from './example-cone.ts';
import type { ConeOf, ExampleCone } from './example-cone.ts';
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

type PartOf = (...example: Parameters<ConeOf>) => ExamplePart;

/** Makes the part of an example or, as epochs come back to the same cones, gives the one it made before. */
export function examplePartMaker(context: ConeContext): PartOf {
  const partOf = perCone(partBuilder(context));
  return (source, destination, lossOnly) =>
    partOf(context.coneOf(source, destination, lossOnly), source, destination);
}

function partBuilder({
  graph,
  outgoing,
}: ConeContext): (cone: ExampleCone, source: number, destination: number | undefined) => ExamplePart {
  const { nodeCount, edgeCount } = graph;
  const { offsets, receivers } = outgoing;
  const entryOf = new Int32Array(nodeCount).fill(-1);
  const flow = createScratch('fanEdges', 'entries', 'arrivals');
  return ({ nodes, since, attention }, source, destination) => {
    let most = 0;
    for (let entry = 0; entry < nodes.length; entry++) {
      entryOf[nodes[entry]] = entry;
      most += offsets[nodes[entry] + 1] - offsets[nodes[entry]];
    }
    const { fanEdges, entries, arrivals } = flow(most);
    let count = 0;
    for (let entry = 0; entry < nodes.length; entry++) {
      const node = nodes[entry];
      for (let e = offsets[node]; e < offsets[node + 1]; e++) {
        const arrival = entryOf[receivers[e]];
        // Attention can use an edge only if it can be at the sender early enough to be needed at the receiver.
        if (arrival < 0 || since[entry] >= attention[arrival]) continue;
        fanEdges[count] = e;
        entries[count] = entry;
        arrivals[count++] = arrival;
      }
    }
    const among = (ids: ArrayLike<number>): RowIndex => unowned(rowIndex(ids, nodes.length));
    const part = {
      nodes,
      source: among([entryOf[source]]),
      ...(destination !== undefined && { destination: among([entryOf[destination]]) }),
      fanEdges: unowned(rowIndex(fanEdges.subarray(0, count), edgeCount)),
      entries: among(entries.subarray(0, count)),
      arrivals: among(arrivals.subarray(0, count)),
    };
    for (const node of nodes) entryOf[node] = -1;
    return part;
  };
}

/** Takes an index out of the scope it was made in. An index that is only joined to others has no memory on a device to free. */
function unowned(index: RowIndex): RowIndex {
  index.owner?.disown(index);
  return index;
}
