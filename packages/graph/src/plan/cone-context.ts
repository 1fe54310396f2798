import type { Graph } from '../graph.ts';
import type { Adjacency } from './adjacency.ts';
import type { ConeOf } from './example-cone.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import type { PlanKind } from './plan-kind.ts';

/** What all cone plans of one planner have in common. */
export interface ConeContext {
  readonly graph: Graph;
  readonly outgoing: OutgoingEdges;
  readonly steps: number;
  readonly kind: PlanKind;
  readonly adjacency: Adjacency;
  readonly coneOf: ConeOf;
}
