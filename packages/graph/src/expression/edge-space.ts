/** Where edge expressions are computed: lists of edges, and which row each of them reads. Private to this package. */
import { permute } from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { DerivedWeight } from './edge-expression.ts';
import type { EdgeExpression, End } from './edge-expression.ts';
import type { Lowering } from './lower.ts';

/** Edges in some order: all of a graph's, or those that a step needs. */
export interface EdgeSet {
  readonly count: number;
  /** Edge → the row it reads of a value at this end. None where edge k reads row k. */
  rowsOf(this: void, end: End): RowIndex | undefined;
  /** Edge → row · types + type: the slice that it reads of what each row gives to each type. */
  typedRowsOf(this: void, end: End): RowIndex;
  readonly types: RowIndex;
  /** Edge → its place in another set of the same space; 'same' where it has the same place there, undefined if unknown. */
  placesIn(this: void, other: EdgeSet): RowIndex | 'same' | undefined;
}

/** Where sums by receiver go. */
export interface Arrivals {
  readonly edges: EdgeSet;
  /** Edge → row of the result. */
  readonly into: RowIndex;
  /** [rows of the result, 1]: how many edges with attention 0 each has beside those of the set; none unless given. */
  readonly unattended?: Tensor;
}

/** Weights as a tensor: those that follow from parameters are made once in a pass. */
export function weightOf({ once }: Pick<EdgeSpace, 'once'>, w: Tensor | DerivedWeight): Tensor {
  if (!(w instanceof DerivedWeight)) return w;
  return once([w], 'derived', () => permuted(w.make(), w.axes));
}

/** `permute`, where it changes anything. */
export function permuted(x: Tensor, axes: readonly number[]): Tensor {
  return axes.every((axis, i) => axis === i) ? x : permute(x, axes);
}

export interface EdgeSpace {
  readonly edgeTypeCount: number;
  /** All outgoing edges of whoever sends, side by side, and whose they are; sorted. */
  readonly out?: { readonly edges: EdgeSet; readonly senders: RowIndex } | undefined;
  /** What is summed by receiver. Absent where nothing is. */
  readonly in?: Arrivals | undefined;
  /** Whether the edges of `in` are all incoming edges of their receivers, sorted by them. */
  readonly inIsComplete: boolean;
  /** What an edge reads of a value at this end: `rowsOf` counts its rows. */
  valuesAt(this: void, end: End, x: Tensor): Tensor;
  /** What follows from parameters alone is made once in a pass over several steps. */
  once(this: void, from: readonly object[], name: string, make: () => Tensor): Tensor;
  /** All edges in the graph's own order, where there is one: what edges have of their own is read from there as it lies. */
  readonly own?: Arrivals;
  /** Whether a tensor with a row of so many channels per edge is computed again in the backward pass rather than kept. */
  recomputes(this: void, channels: number): boolean;
  /** Is told what is summed by receiver. */
  readonly notice?: (messages: EdgeExpression) => void;
  /** Keeps what was computed of a step, for all of its expressions. Without it every reduction begins anew. */
  readonly lowering?: Lowering;
}
