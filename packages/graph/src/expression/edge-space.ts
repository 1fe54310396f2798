/** Where edge expressions are computed: lists of edges, and which row each of them reads. Private to this package. */
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import type { End } from './edge-expression.ts';
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

export interface EdgeSpace {
  readonly edgeTypeCount: number;
  /** All outgoing edges of whoever sends, side by side, and whose they are; sorted. */
  readonly out: { readonly edges: EdgeSet; readonly senders: RowIndex };
  /** What is summed by receiver. Absent where nothing is. */
  readonly in?: Arrivals;
  /** Whether the edges of `in` are all incoming edges of their receivers, sorted by them. */
  readonly inIsComplete: boolean;
  /** What an edge reads of a value at this end: `rowsOf` counts its rows. */
  valuesAt(this: void, end: End, x: Tensor): Tensor;
  /** What follows from parameters alone is made once in a pass over several steps. */
  once(this: void, from: readonly Tensor[], name: string, make: () => Tensor): Tensor;
  /** The graph's own order of edges, where there is one. */
  readonly own?: { readonly edges: EdgeSet };
  /** Whether a tensor with a row of so many channels per edge is computed again in the backward pass rather than kept. */
  recomputes(this: void, channels: number): boolean;
  /** Keeps what was computed of a step, for all of its expressions. Without it every reduction begins anew. */
  readonly lowering?: Lowering;
}
