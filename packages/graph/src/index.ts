export { createGraph } from './graph.ts';
export type { Graph, GraphInput } from './graph.ts';
export type { EdgeOrder } from './edge-order.ts';
export { withSelfLoops } from './self-loops.ts';
export type { SelfLoopOptions } from './self-loops.ts';
export { degreeWeights, inDegrees, outDegrees } from './degrees.ts';
export type { DegreeWeightsOptions } from './degrees.ts';
export { sampleNeighbours } from './sample-neighbours.ts';
export type { NeighbourSample, SampleOptions } from './sample-neighbours.ts';
export { createHopSearch, hopsFrom, hopsTo, UNREACHABLE } from './hop-distances.ts';
export type { HopOptions, HopSearch } from './hop-distances.ts';
export { graphFromEdgeList } from './edge-list.ts';
export type { EdgeListOptions, NamedEdge, NamedGraph } from './edge-list.ts';
export { escapeXml, toGraphML } from './graphml.ts';
export { toDot } from './dot.ts';
export type { GraphLabels } from './graph-labels.ts';
export { createConePlanner } from './plan/cone-planner.ts';
export { createDensePlanner } from './plan/dense-planner.ts';
export type { PlanKind } from './plan/plan-kind.ts';
export type {
  FlowPlan,
  MarkedPlan,
  Plan,
  PlanBatch,
  PlanEntries,
  PlanFan,
  PlanFlow,
  PlanMessages,
  Planner,
  PlannerOptions,
  PlanRows,
  PlanSenders,
  PlanStep,
} from './plan/plan.ts';
