import type { Graph } from '../graph.ts';
import { adjacencyOf } from './adjacency.ts';
import { coneBuilder } from './cone-builder.ts';
import type { ConeBatch, ConeContext } from './cone-context.ts';
import { createDensePlanner } from './dense-planner.ts';
import { createConeSearch } from './cone-search.ts';
import { followAttention } from './follow-attention.ts';
import { planFacts } from './plan-facts.ts';
import { KeptExample } from './kept-flow.ts';
import { Numbering } from './numbering.ts';
import { checkBatch, checkPlannerOptions } from './plan-batch.ts';
import { isAlwaysDense, sharesTransitions } from './plan-kind.ts';
import type { FlowPlan, MarkPlan, Plan, PlanBatch, Planner, PlannerOptions } from './plan.ts';
import { sharedFlow } from './shared-flow.ts';
import { createSharedValues } from './shared-values.ts';

/**
 * Plans that leave out what cannot matter, with the same loss, gradients, scores and attention as the dense plan, on
 * any directed graph. A state that no attention (or no mark of the source) has reached is the same for all examples
 * and computed once; with `lossOnly`, nor is anything computed that cannot reach the destination any more.
 * A global state that reads messages couples all nodes: all have rows then, and where attention does not act on the
 * messages, the plan is dense. So is a plan of which nearly everything is within reach, as the dense one is then the faster.
 */
export function createConePlanner(graph: Graph, options: PlannerOptions): Planner {
  const where = 'createConePlanner';
  checkPlannerOptions(where, options);
  const { steps, kind } = options;
  if (isAlwaysDense(kind)) return createDensePlanner(graph, options);
  const shared = createSharedValues('planner.dispose()');
  const facts = planFacts(graph, options, shared);
  const adjacency = adjacencyOf(graph);
  const coneOf = createConeSearch(adjacency, kind);
  const conesOf: ConeContext['conesOf'] = ({ cones, sources, destinations, lossOnly, steps }) =>
    cones ??
    Array.from(sources, (source, example) =>
      coneOf({ source, destination: destinations?.[example], lossOnly, steps }),
    );
  const numbering = new Numbering(graph.nodeCount);
  const context: ConeContext = { graph, adjacency, kind, numbering, conesOf };
  const build = sharesTransitions(kind) ? sharedFlow(context, shared) : coneBuilder(context);
  let dense: Planner | undefined;
  const planOf = (batch: ConeBatch): Plan => {
    const { sources, destinations, lossOnly, asked } = batch;
    const parts = build(batch);
    if (!parts) {
      dense ??= createDensePlanner(graph, options);
      return dense.plan({ sources, ...(destinations && { destinations }) });
    }
    const plan: FlowPlan | MarkPlan = {
      examples: sources.length,
      complete: !lossOnly || !kind.flow,
      dense: false,
      ...parts,
      ...facts,
      ...(asked && { asked }),
    };
    return plan;
  };
  const plan = (given: PlanBatch): Plan => planOf({ ...checkBatch('plan', given, graph, kind), steps });
  /** Lent to one batch after another. */
  const idle: KeptExample[] = [];
  const follow: Planner['follow'] = async (given, model, keep) => {
    const batch = checkBatch('follow', given, graph, kind);
    const examples = Array.from(batch.sources, () => idle.pop() ?? new KeptExample(context));
    try {
      return await followAttention({ kind, steps, examples, planOf }, batch, model, keep);
    } finally {
      idle.push(...examples);
    }
  };
  return {
    plan,
    follow,
    dispose: () => {
      shared.dispose();
      dense?.dispose();
    },
  };
}
