import { tensor } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { Graph } from '../graph.ts';
import type { PlannerOptions } from './plan.ts';
import type { SharedValues } from './shared-values.ts';

/** What all plans of a planner say. What nodes have and lack is found out when it is first asked for. */
export function planFacts(graph: Graph, { steps, kind }: PlannerOptions, { share }: SharedValues) {
  const { nodeCount, edgeTypeCount, edgeCount, senders, receivers, edgeTypes } = graph;
  let missing: Tensor | undefined;
  let hasLoops: boolean | undefined;
  return {
    kind,
    nodeCount,
    edgeCount,
    edgeTypeCount,
    length: steps,
    missing: (): Tensor => {
      if (missing) return missing;
      const values = new Float32Array(nodeCount * edgeTypeCount).fill(1);
      for (let e = 0; e < edgeCount; e++) values[senders[e] * edgeTypeCount + edgeTypes[e]] = 0;
      missing = share(tensor(values, { shape: [nodeCount, edgeTypeCount] }));
      return missing;
    },
    hasLoops: (): boolean => {
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
