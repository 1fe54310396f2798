import type { Graph } from '../graph.ts';
import type { Adjacency } from './adjacency.ts';
import type { ExampleCone } from './example-cone.ts';
import type { Numbering } from './numbering.ts';
import type { OutgoingEdges } from './outgoing-edges.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { PlanKind } from './plan-kind.ts';

/** A batch of so many steps. */
export interface ConeBatch extends CheckedBatch {
  readonly steps: number;
  /** Those of its examples, where not all attention is carried on. */
  readonly cones?: readonly ExampleCone[];
}

/**
 * Whether a cone with this share of all rows spares too little, so that the dense plan, whose indices are made once, is the
 * faster one: measured, it is from 0.85 of the rows on. Where there are few rows in all, either is.
 */
export function isAsGoodAsDense(
  share: number,
  { sources, steps, asked }: ConeBatch,
  nodeCount: number,
): boolean {
  // What examples ask is read by edges, of which a cone has fewer even where it has nearly all rows.
  if (asked) return false;
  return sources.length * nodeCount * steps > 1000 && share > 0.85;
}

/** What all cone plans of one planner have in common. */
export interface ConeContext {
  readonly graph: Graph;
  readonly outgoing: OutgoingEdges;
  readonly kind: PlanKind;
  readonly adjacency: Adjacency;
  /** Of all nodes, lent to whoever has some to number: they are nearly the same, one time after the other. */
  readonly numbering: Numbering;
  /** One for each example. */
  conesOf(this: void, batch: ConeBatch): readonly ExampleCone[];
}
