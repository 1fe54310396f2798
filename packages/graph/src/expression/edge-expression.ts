/**
 * Edge expressions: what a message, a logit or a weight of an edge is, said once for all edges and computed later.
 *
 * An expression names no index and makes no tensor. A reduction (`sumIn`, `softmaxOut`, …) looks at the whole of it and
 * picks the ops that compute it; see `lower.ts` and `sum-rules.ts`.
 */
import { TensorError } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { EdgeSpace } from './edge-space.ts';

/** Whose value an edge reads: of its sender, its receiver, its example, the attention of its sender, its type, or its own. */
export type End = 'sender' | 'receiver' | 'example' | 'attention' | 'type' | 'edge';

/** Weights that follow from parameters, such as a product of two. They are computed once in a pass, when first needed. */
export class DerivedWeight {
  readonly shape: readonly number[];
  /** @internal */
  readonly make: () => Tensor;
  /** @internal Axis of the shape → axis of what `make` gives. */
  readonly axes: readonly number[];

  /** @internal */
  constructor(shape: readonly number[], make: () => Tensor, axes: readonly number[]) {
    this.shape = shape;
    this.make = make;
    this.axes = axes;
  }
}

/**
 * Weights of this shape, made of parameters by `make` whenever a pass needs them. `axes` says where each axis of the shape is
 * in what `make` gives, if elsewhere: weights that are stored in another order need not be copied into this one.
 */
export function derived(
  shape: readonly number[],
  make: () => Tensor,
  { axes = shape.map((_, axis) => axis) }: { readonly axes?: readonly number[] } = {},
): DerivedWeight {
  return new DerivedWeight(shape, make, axes);
}

/** A linear layer: w [in, out], b [out]. Layers of @flowgrad/nn are such. */
export interface LinearWeights {
  readonly w: Tensor | DerivedWeight;
  readonly b?: Tensor;
}

/** A linear layer for each edge type: w [types, in, …shape], b [types, …shape]. */
export type TypedWeights = LinearWeights;

/** Computes each row of its result from the same row of its argument: an elementwise function, a layer. */
export type RowFunction = (x: Tensor) => Tensor;

/** How an expression is made of others. */
export type Term =
  | { readonly kind: 'read'; readonly end: End; readonly x: Tensor }
  | { readonly kind: 'action'; readonly x: Tensor }
  | { readonly kind: 'constant'; readonly value: Tensor | number }
  | { readonly kind: 'map'; readonly fn: RowFunction; readonly x: EdgeExpression }
  | { readonly kind: 'linear'; readonly layer: LinearWeights; readonly x: EdgeExpression }
  | { readonly kind: 'typed'; readonly layer: TypedWeights; readonly parts: readonly EdgeExpression[] }
  | {
      readonly kind: 'dotTyped';
      readonly layer: TypedWeights;
      readonly sender: EdgeExpression;
      readonly receiver: EdgeExpression;
    }
  | { readonly kind: 'plus' | 'times'; readonly left: EdgeExpression; readonly right: EdgeExpression }
  | { readonly kind: 'softmax'; readonly over: 'sender' | 'receiver'; readonly x: EdgeExpression };

/** What may stand beside an expression in a sum or product: another one, or the same value for all edges. */
export type Operand = EdgeExpression | Tensor | number;

/** A value for each edge of a graph, or of a step of a plan, not yet computed. */
export class EdgeExpression {
  /** @internal */
  readonly term: Term;
  /** @internal The edges it is about; none of a constant. */
  readonly space: EdgeSpace | undefined;
  /** The shape of one edge's value: [] for a number. */
  readonly shape: readonly number[];

  /** @internal */
  constructor(term: Term, space: EdgeSpace | undefined, shape: readonly number[]) {
    this.term = term;
    this.space = space;
    this.shape = shape;
  }

  /** Their sum, value by value. A value per head [heads] is added to all channels of its head [heads, width]. */
  plus(other: Operand): EdgeExpression {
    return combined('plus', this, expressionOf(other));
  }

  /** Their product, value by value. A number, or a value per head [heads], scales all channels [heads, width] there are. */
  times(other: Operand): EdgeExpression {
    return combined('times', this, expressionOf(other));
  }

  /** `fn` of each value: `tanh`, or any function of tensors that treats rows one by one. */
  map(fn: RowFunction, shape: readonly number[] = this.shape): EdgeExpression {
    return new EdgeExpression({ kind: 'map', fn, x: this }, this.space, shape);
  }

  /** x·W + b over the last axis. */
  linear(layer: LinearWeights): EdgeExpression {
    const [width, out] = layer.w.shape;
    if (this.shape.at(-1) !== width) throw mismatch('linear', `[…, ${width}]`, this.shape);
    return new EdgeExpression({ kind: 'linear', layer, x: this }, this.space, [
      ...this.shape.slice(0, -1),
      out,
    ]);
  }
}

/** W_type·[x : …] + b_type: each edge through the layer of its type; several values are set side by side first. */
export function typed(layer: TypedWeights, ...parts: readonly EdgeExpression[]): EdgeExpression {
  const width = parts.reduce((sum, { shape }) => sum + shape[0], 0);
  if (parts.some(({ shape }) => shape.length !== 1) || layer.w.shape[1] !== width) {
    throw mismatch(
      'typed',
      `values of ${layer.w.shape[1]} channels in all`,
      parts.map(({ shape }) => shape),
    );
  }
  return new EdgeExpression(
    { kind: 'typed', layer, parts },
    commonSpace('typed', parts),
    layer.w.shape.slice(2),
  );
}

/** w_type · [x : y : x ⊙ y] + b_type, a number: w [types, 3d, 1], b [types, 1]. x is the sender's, y the receiver's. */
export function dotTyped(
  layer: TypedWeights,
  sender: EdgeExpression,
  receiver: EdgeExpression,
): EdgeExpression {
  if (layer.w.shape[1] !== 3 * sender.shape[0] || sender.shape[0] !== receiver.shape[0]) {
    throw mismatch('dotTyped', `two values of ${layer.w.shape[1] / 3} channels`, [
      sender.shape,
      receiver.shape,
    ]);
  }
  const space = commonSpace('dotTyped', [sender, receiver]);
  return new EdgeExpression({ kind: 'dotTyped', layer, sender, receiver }, space, []);
}

/** e^x / Σ e^x over the edges that leave the same sender. */
export const softmaxOut = (x: EdgeExpression): EdgeExpression => softmax('sender', x);
/** e^x / Σ e^x over the edges that arrive at the same receiver. */
export const softmaxIn = (x: EdgeExpression): EdgeExpression => softmax('receiver', x);

function softmax(over: 'sender' | 'receiver', x: EdgeExpression): EdgeExpression {
  return new EdgeExpression({ kind: 'softmax', over, x }, x.space, x.shape);
}

export function expressionOf(value: Operand): EdgeExpression {
  if (value instanceof EdgeExpression) return value;
  const shape = typeof value === 'number' ? [] : value.shape;
  return new EdgeExpression({ kind: 'constant', value }, undefined, shape);
}

function combined(kind: 'plus' | 'times', left: EdgeExpression, right: EdgeExpression): EdgeExpression {
  const [longer, shorter] = left.shape.length >= right.shape.length ? [left, right] : [right, left];
  // A constant is broadcast from the right, as tensors are; values of edges from the left, head by head.
  const offset = shorter.term.kind === 'constant' ? longer.shape.length - shorter.shape.length : 0;
  if (shorter.shape.some((extent, axis) => extent !== longer.shape[axis + offset])) {
    throw mismatch(kind, `shapes that agree`, [left.shape, right.shape]);
  }
  return new EdgeExpression({ kind, left, right }, commonSpace(kind, [left, right]), longer.shape);
}

function commonSpace(where: string, parts: readonly EdgeExpression[]): EdgeSpace | undefined {
  const space = parts.find((part) => part.space)?.space;
  if (parts.every((part) => part.space === undefined || part.space === space)) return space;
  throw new TensorError(
    where,
    'option',
    'expected values of the same edges, got some of two graphs or steps',
  );
}

function mismatch(where: string, expected: string, got: unknown): TensorError {
  return new TensorError(where, 'shape', `expected ${expected}, got ${JSON.stringify(got)}`);
}
