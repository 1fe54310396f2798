import { tensor } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import type { SharedValues } from './shared-values.ts';

/** What the nodes of a graph have and lack. Each is found out when it is first asked for. */
export interface NodeFacts {
  /** [nodes of the graph, types]: 1 where no edge of the type leaves the node, else 0. */
  missing(this: void): Tensor;
  /** Whether every node has a self-loop of the last type, as `withSelfLoops` adds them. */
  hasLoops(this: void): boolean;
}

export function nodeFacts(graph: Graph, { share }: SharedValues): NodeFacts {
  const { nodeCount, edgeTypeCount, edgeCount, senders, receivers, edgeTypes } = graph;
  let missing: Tensor | undefined;
  let hasLoops: boolean | undefined;
  return {
    missing: () => {
      if (missing) return missing;
      const values = new Float32Array(nodeCount * edgeTypeCount).fill(1);
      for (let e = 0; e < edgeCount; e++) values[senders[e] * edgeTypeCount + edgeTypes[e]] = 0;
      missing = share(tensor(values, { shape: [nodeCount, edgeTypeCount] }));
      return missing;
    },
    hasLoops: () => {
      if (hasLoops !== undefined) return hasLoops;
      const found = new Uint8Array(nodeCount);
      for (let e = 0; e < edgeCount; e++) {
        if (senders[e] === receivers[e] && edgeTypes[e] === edgeTypeCount - 1) found[senders[e]] = 1;
      }
      hasLoops = !found.includes(0);
      return hasLoops;
    },
  };
}
