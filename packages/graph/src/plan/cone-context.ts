import type { Graph } from '../graph.ts';
import type { Adjacency } from './adjacency.ts';
import type { ExampleCone } from './example-cone.ts';
import type { Numbering } from './numbering.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { PlanKind } from './plan-kind.ts';

/** A batch of so many steps. */
export interface ConeBatch extends CheckedBatch {
  readonly steps: number;
  /** The cones of its examples. Pruned flow gives them; otherwise they are found. */
  readonly cones?: readonly ExampleCone[];
}

/** What all cone plans of one planner have in common. */
export interface ConeContext {
  readonly graph: Graph;
  readonly kind: PlanKind;
  readonly adjacency: Adjacency;
  /**
   * Numbers nodes of the graph. All parts of planning share it: they number nearly the same nodes one after another, which are
   * then in a processor's caches.
   */
  readonly numbering: Numbering;
  /** One for each example. */
  conesOf(this: void, batch: ConeBatch): readonly ExampleCone[];
}
