/** Edges as they are found, each once, under the names that files give them. */
import { createGraph } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { names } from '../folder/naming.ts';
import { readFields } from './imported.ts';
import type { ImportedFile, LineCount } from './imported.ts';

/** Nodes, edge types and edges, collected. */
export class EdgeCollection {
  readonly nodes = names('a node');
  readonly types = names('an edge type');
  readonly #seen = new Set<string>();
  readonly #lists: Record<'senders' | 'receivers' | 'edgeTypes', number[]> = {
    ...{ senders: [], receivers: [], edgeTypes: [] },
  };

  /** False if it is there already. */
  add(sender: number, type: number, receiver: number): boolean {
    const key = `${sender} ${type} ${receiver}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    this.#lists.senders.push(sender);
    this.#lists.edgeTypes.push(type);
    this.#lists.receivers.push(receiver);
    return true;
  }

  graph(): Graph {
    const edgeTypeCount = Math.max(1, this.types.count);
    return createGraph({ nodeCount: this.nodes.count, edgeTypeCount, ...this.#lists });
  }

  /** What a dataset says of them. */
  labels(): { nodeNames: readonly string[]; edgeTypeNames?: readonly string[] } {
    const [nodeNames, edgeTypeNames] = [this.nodes.names!, this.types.names!];
    return { nodeNames, ...(edgeTypeNames.length > 0 && { edgeTypeNames }) };
  }
}

/** Lines of sender and receiver, or of sender, type and receiver. */
export async function readEdgeFile(file: ImportedFile, count: LineCount): Promise<EdgeCollection> {
  const edges = new EdgeCollection();
  const widths = { least: 2, most: 3, what: 'sender and receiver, or sender, type and receiver' };
  let width: number | undefined;
  await readFields(file, count, widths, (fields, where) => {
    width ??= fields.length;
    if (fields.length !== width) {
      throw new Error(
        `${where}: expected ${width} fields, as many as the first line has, got ${fields.length}`,
      );
    }
    const [sender, receiver] = [fields[0], fields[width - 1]].map((name) =>
      edges.nodes.read(name, () => where),
    );
    const type = width === 3 ? edges.types.read(fields[1], () => where) : 0;
    if (!edges.add(sender, type, receiver)) count.drop('the same edge again', where);
  });
  return edges;
}
