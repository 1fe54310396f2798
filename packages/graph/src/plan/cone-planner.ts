import type { Graph } from '../graph.ts';
import { adjacencyOf } from './adjacency.ts';
import { createBackground } from './background.ts';
import type { Background } from './background.ts';
import { coneBuilder } from './cone-builder.ts';
import type { ConeBatch, ConeContext } from './cone-context.ts';
import { createDensePlanner } from './dense-planner.ts';
import { createConeSearch } from './cone-search.ts';
import type { ExampleCone } from './example-cone.ts';
import { followAttention } from './follow-attention.ts';
import { nodeFacts } from './node-facts.ts';
import { KeptExample } from './kept-flow.ts';
import { Numbering } from './numbering.ts';
import { outgoingEdges } from './outgoing-edges.ts';
import { checkBatch, checkPlannerOptions } from './plan-batch.ts';
import { needsAllMessages, needsOwnFans, sharesTransitions } from './plan-kind.ts';
import type {
  FlowParts,
  FlowPlan,
  MarkParts,
  MarkPlan,
  Plan,
  PlanBatch,
  Planner,
  PlannerOptions,
  PlanQueries,
} from './plan.ts';
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
  if (needsAllMessages(kind) || needsOwnFans(kind)) return createDensePlanner(graph, options);
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const shared = createSharedValues('planner.dispose()');
  const facts = nodeFacts(graph, shared);
  const outgoing = outgoingEdges(graph);
  const adjacency = adjacencyOf(graph, outgoing);
  const coneOf = createConeSearch(adjacency, kind);
  const conesOf: ConeContext['conesOf'] = (batch) => {
    if (batch.cones) return batch.cones;
    const { sources, destinations, lossOnly, steps } = batch;
    const cones: ExampleCone[] = [];
    for (let example = 0; example < sources.length; example++) {
      const [source, destination] = [sources[example], destinations?.[example]];
      cones.push(coneOf({ source, destination, lossOnly, steps }));
    }
    return cones;
  };
  const numbering = new Numbering(nodeCount);
  const context: ConeContext = { graph, outgoing, adjacency, kind, numbering, conesOf };
  const build = builderOf(context, shared);
  let dense: Planner | undefined;
  const planOf = (batch: ConeBatch): Plan => {
    const { sources, destinations, lossOnly, asked } = batch;
    const parts = build(batch);
    if (!parts) {
      dense ??= createDensePlanner(graph, options);
      return dense.plan({ sources, ...(destinations && { destinations }), ...(asked && queriesOf(asked)) });
    }
    const plan: FlowPlan | MarkPlan = {
      kind,
      examples: sources.length,
      nodeCount,
      edgeCount,
      edgeTypeCount,
      length: steps,
      complete: !lossOnly || !kind.flow,
      dense: false,
      ...facts,
      ...(asked && { asked }),
      ...parts,
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

const queriesOf = ({ queries, hidden }: PlanQueries): Pick<PlanBatch, 'queries' | 'hidden'> => ({
  queries,
  ...(hidden && { hidden }),
});

function builderOf(
  context: ConeContext,
  shared: ReturnType<typeof createSharedValues>,
): (batch: ConeBatch) => FlowParts | MarkParts | undefined {
  if (!sharesTransitions(context.kind)) return coneBuilder(context);
  let whole: Background | undefined;
  return sharedFlow(context, () => (whole ??= createBackground(context.graph, context.outgoing, shared)));
}
