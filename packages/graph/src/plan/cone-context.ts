import type { Graph } from '../graph.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import type { PlanKind } from './plan-kind.ts';
import type { Reach } from './reach.ts';

/** What all cone plans of one planner have in common. */
export interface ConeContext {
  readonly graph: Graph;
  readonly outgoing: OutgoingEdges;
  readonly steps: number;
  readonly kind: PlanKind;
  readonly reach: Reach;
}
