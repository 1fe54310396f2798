import { tensor } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import type { SharedValues } from './shared-values.ts';

/** [nodes, types]: 1 where no edge of the type leaves the node, else 0. It is made when it is first asked for. */
export function missingTypes(graph: Graph, { share }: SharedValues): () => Tensor {
  let made: Tensor | undefined;
  return () => {
    if (made) return made;
    const { nodeCount, edgeTypeCount, edgeCount, senders, edgeTypes } = graph;
    const missing = new Float32Array(nodeCount * edgeTypeCount).fill(1);
    for (let e = 0; e < edgeCount; e++) missing[senders[e] * edgeTypeCount + edgeTypes[e]] = 0;
    made = share(tensor(missing, { shape: [nodeCount, edgeTypeCount] }));
    return made;
  };
}
