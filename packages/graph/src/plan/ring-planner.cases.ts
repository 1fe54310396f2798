import { createGraph } from '../graph.ts';
import { createConePlanner } from './cone-planner.ts';
import type { PlanBatch, Planner } from './plan.ts';

/** The nodes of a ring, each of which leads to the next. */
export const nodes = Array.from({ length: 40 }, (_, node) => node);

const graph = createGraph({
  nodeCount: nodes.length,
  senders: nodes,
  receivers: nodes.map((node) => (node + 1) % nodes.length),
});

/** A planner on the ring, and the batches that it was asked for. */
export function ringPlanner(steps = 3): Planner & { readonly asked: PlanBatch[] } {
  const planner = createConePlanner(graph, {
    steps,
    kind: { flow: true, reads: 'sender', acts: true, global: false },
  });
  const asked: PlanBatch[] = [];
  return {
    ...planner,
    asked,
    plan: (batch) => {
      asked.push(batch);
      return planner.plan(batch);
    },
  };
}
