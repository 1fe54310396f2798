import { unknownName } from '@flowgrad/tensor';
import { createGraph } from './graph.ts';
import type { Graph } from './graph.ts';

/** (sender, edge type, receiver), by name. */
export type NamedEdge = readonly [sender: string, edgeType: string, receiver: string];

/** The names that `graphFromEdgeList` knows beforehand. A name that is not among them is then an error. */
export interface EdgeListOptions {
  /** All node names in the order of their indices; by first appearance in the list when left out. */
  readonly nodes?: readonly string[];
  /** All edge-type names in the order of their indices; by first appearance in the list when left out. */
  readonly edgeTypes?: readonly string[];
}

/** A graph together with the names of its nodes and edge types. */
export interface NamedGraph {
  readonly graph: Graph;
  readonly nodeNames: readonly string[];
  readonly edgeTypeNames: readonly string[];
}

const where = 'graphFromEdgeList';

/** A graph from named edges; edge e of the graph is the e-th of the list. */
export function graphFromEdgeList(edges: readonly NamedEdge[], options: EdgeListOptions = {}): NamedGraph {
  const nodes = nameIndex('node', options.nodes);
  const types = nameIndex('edge type', options.edgeTypes);
  const senders = new Int32Array(edges.length);
  const receivers = new Int32Array(edges.length);
  const edgeTypes = new Int32Array(edges.length);
  edges.forEach((edge, i) => {
    if (edge.length !== 3) {
      throw new TypeError(
        `${where}: expected edge ${i} as [sender, edge type, receiver], got ${edge.length} names`,
      );
    }
    senders[i] = nodes.indexOf(edge[0], i);
    edgeTypes[i] = types.indexOf(edge[1], i);
    receivers[i] = nodes.indexOf(edge[2], i);
  });
  const [nodeNames, edgeTypeNames] = [nodes.names(), types.names()];
  const counts = { nodeCount: nodeNames.length, edgeTypeCount: edgeTypeNames.length };
  return { graph: createGraph({ ...counts, senders, receivers, edgeTypes }), nodeNames, edgeTypeNames };
}

/** Name → index; a fixed list of names is closed, an open one grows with every new name. */
function nameIndex(what: string, fixed: readonly string[] | undefined) {
  const indices = new Map((fixed ?? []).map((name, index) => [name, index]));
  if (fixed !== undefined && indices.size !== fixed.length) {
    const twice = fixed.find((name, index) => indices.get(name) !== index);
    throw new RangeError(`${where}: expected each ${what} name once, got '${twice}' twice`);
  }
  return {
    names: (): readonly string[] => [...indices.keys()],
    indexOf(name: string, edge: number): number {
      const index = indices.get(name) ?? indices.size;
      if (index === indices.size) {
        if (fixed !== undefined) {
          throw new RangeError(`${where}: ${unknownName(`the ${what} of edge ${edge}`, name, fixed)}`);
        }
        indices.set(name, index);
      }
      return index;
    },
  };
}
