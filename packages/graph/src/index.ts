export { createGraph } from './graph.ts';
export type { Graph, GraphInput } from './graph.ts';
export type { EdgeOrder } from './edge-order.ts';
export { withSelfLoops } from './self-loops.ts';
export type { SelfLoopOptions } from './self-loops.ts';
export { degreeWeights, inDegrees, outDegrees } from './degrees.ts';
export type { DegreeWeightsOptions } from './degrees.ts';
export { checkExamples } from './check-examples.ts';
export type { ExamplesToCheck } from './check-examples.ts';
export { joinGraphs } from './join-graphs.ts';
export type { JoinedGraphs, JoinOptions } from './join-graphs.ts';
export { sampleNeighbours } from './sample-neighbours.ts';
export type { NeighbourSample, SampleOptions } from './sample-neighbours.ts';
export { createHopSearch, hopsFrom, hopsTo, UNREACHABLE } from './hop-distances.ts';
export type { HopOptions, HopSearch } from './hop-distances.ts';
export { createHopsBetween } from './hops-between.ts';
export type { BetweenOptions, HopsBetween } from './hops-between.ts';
export { graphFromEdgeList } from './edge-list.ts';
export type { EdgeListOptions, NamedEdge, NamedGraph } from './edge-list.ts';
export { toGraphML } from './graphml.ts';
export { toDot } from './dot.ts';
export type { GraphLabels } from './graph-labels.ts';
export { createConePlanner } from './plan/cone-planner.ts';
export { createDensePlanner } from './plan/dense-planner.ts';
export type { PlanKind } from './plan/plan-kind.ts';
export { showKind } from './plan/plan-kind.ts';
export { planSize } from './plan/plan.ts';
export type {
  AttentionFlow,
  FollowedPlan,
  Plan,
  PlanBatch,
  PlanQueries,
  Planner,
  PlannerOptions,
  PlanSize,
} from './plan/plan.ts';
export { keepPlans } from './plan/kept-plans.ts';
export type { KeepPlansOptions, KeptPlans } from './plan/kept-plans.ts';
export type { CutFlow, Keep } from './plan/kept-flow.ts';
export { planAhead } from './plan/plan-ahead.ts';
export { overFlow, overMark } from './plan/pass.ts';
export type { EdgeReads, FlowPass, MarkPass, Pass, PassOptions, StateRows, Step } from './plan/pass.ts';
export type { FlowEdges, StepEdges } from './plan/step-edges.ts';
export {
  derived,
  DerivedWeight,
  dotTyped,
  EdgeExpression,
  softmaxIn,
  softmaxOut,
  typed,
} from './expression/edge-expression.ts';
export type { LinearWeights, Operand, RowFunction, TypedWeights } from './expression/edge-expression.ts';
export { edgesOf } from './expression/edges-of.ts';
export type { Edges, EdgesOptions } from './expression/edges-of.ts';
export { readsOf } from './expression/reads.ts';
export type { MessageReads } from './expression/reads.ts';
export { explain, maxIn, meanIn, perEdge, sumIn, sumOut } from './expression/reductions.ts';
