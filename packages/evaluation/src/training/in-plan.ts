/** Plans of a run: of all that can matter, or of pruned flow where the run says what is kept. */
import type { Graph, KeptPlans, Plan, PlanBatch, Planner } from '@flowgrad/graph';
import type { Model } from '@flowgrad/models';
import { scope } from '@flowgrad/tensor';
import type { RunConfig } from '../run/run-config.ts';
import { isPruned } from '../run/run-fields.ts';

interface Planned {
  readonly config: Pick<RunConfig, 'keepNodes' | 'keepEdges'>;
  readonly graph: Graph;
  readonly model: Model;
  readonly planner: Planner;
  /** Where plans are kept that come back; those of pruned flow follow the model, and do not. */
  readonly plans?: KeptPlans | undefined;
}

/** What `fn` makes of the plan for a batch. The plan is freed unless it is kept, and what `fn` made besides. */
export function inPlan<T>(
  { config, graph, model, planner, plans }: Planned,
  batch: PlanBatch,
  fn: (plan: Plan) => T,
): T | Promise<T> {
  if (!isPruned(config) && plans) return plans.within(batch, fn);
  if (!isPruned(config)) return scope(() => fn(planner.plan(batch)), 'in a plan');
  const { keepNodes, keepEdges } = config;
  const keep = { nodes: keepNodes ?? graph.nodeCount, edges: keepEdges ?? graph.edgeCount };
  return scope(async () => fn(await planner.follow(batch, model, keep)), 'in a plan of pruned flow');
}
