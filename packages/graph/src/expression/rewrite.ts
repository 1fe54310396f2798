/** Algebra on edge expressions: the same value, in a form that is cheaper to compute. */
import { abs, matmul, neg, relu, reshape, sqrt, square, tanh } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { derived, DerivedWeight, EdgeExpression, expressionOf, typed } from './edge-expression.ts';
import type { End, LinearWeights, RowFunction } from './edge-expression.ts';
import { permuted, weightOf } from './edge-space.ts';

/**
 * The factors of a product; of any other expression the expression alone. A factor with fewer axes, such as ã = T·a in
 * ã·m, is left whole: it may be known already.
 */
export function factorsOf(x: EdgeExpression, rank = x.shape.length): readonly EdgeExpression[] {
  if (x.term.kind !== 'times' || x.shape.length < rank) return [x];
  return [...factorsOf(x.term.left, rank), ...factorsOf(x.term.right, rank)];
}

export function productOf(factors: readonly EdgeExpression[]): EdgeExpression {
  return factors.reduce((product, factor) => product.times(factor));
}

/** The one end that all of an expression is read from; none if it reads several, or something of the edge itself. */
export function endOf({ term }: EdgeExpression): Exclude<End, 'edge'> | undefined {
  switch (term.kind) {
    case 'read':
      return term.end === 'edge' ? undefined : term.end;
    case 'action':
      return 'sender';
    case 'map':
    case 'linear':
      return endOf(term.x);
    case 'typed':
      return term.parts.length === 1 && !hasType(term.parts[0]) ? endOf(term.parts[0]) : undefined;
    case 'plus':
    case 'times': {
      const ends = [term.left, term.right].filter((side) => side.term.kind !== 'constant');
      if (ends.some(hasType)) return ends.length === 1 ? endOf(ends[0]) : undefined;
      const [first, second] = ends.map(endOf);
      return ends.length === 1 || first === second ? first : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether the value of an end differs by the edge's type. */
export function hasType({ term }: EdgeExpression): boolean {
  switch (term.kind) {
    case 'typed':
    case 'action':
      return true;
    case 'map':
    case 'linear':
      return hasType(term.x);
    case 'plus':
    case 'times':
      return hasType(term.left) || hasType(term.right);
    default:
      return false;
  }
}

/**
 * A linear layer is moved to where it has the least rows to work on:
 *
 *   (s·x) W + b = s·(x W) + b for numbers s (or one per head), and (W_type x) W = (W_type W) x.
 */
export function simplified(x: EdgeExpression): EdgeExpression {
  const { term } = x;
  switch (term.kind) {
    case 'map':
      return rebuilt(x, simplified(term.x), (inner) => inner.map(term.fn, x.shape));
    case 'plus':
    case 'times': {
      const [left, right] = [simplified(term.left), simplified(term.right)];
      if (left === term.left && right === term.right) return x;
      return term.kind === 'plus' ? left.plus(right) : left.times(right);
    }
    case 'linear':
      return linearMoved(term.layer, simplified(term.x));
    default:
      return x;
  }
}

function rebuilt(
  x: EdgeExpression,
  inner: EdgeExpression,
  build: (inner: EdgeExpression) => EdgeExpression,
): EdgeExpression {
  return (x.term as { x?: EdgeExpression }).x === inner ? x : build(inner);
}

function linearMoved(layer: LinearWeights, x: EdgeExpression): EdgeExpression {
  const factors = factorsOf(x);
  const scales = factors.filter((each) => each.shape.length < x.shape.length);
  if (factors.length > 1 && scales.length === factors.length - 1) {
    const rest = factors.find((each) => each.shape.length === x.shape.length)!;
    const product = productOf([...scales, linearMoved({ w: layer.w }, rest)]);
    return layer.b ? product.plus(layer.b) : product;
  }
  if (x.term.kind === 'typed' && !layer.b) return folded(x, layer.w);
  return x.linear(layer);
}

/** (W_type x + b_type) W = (W_type W) x + b_type W */
function folded(x: EdgeExpression, by: Tensor | DerivedWeight): EdgeExpression {
  const { layer, parts } = x.term as Extract<EdgeExpression['term'], { kind: 'typed' }>;
  const space = x.space!;
  const { b } = layer;
  const bias = b && space.once([b, by], 'folded bias', () => overLastAxis(b, weightOf(space, by)));
  return typed({ w: foldedWeight(layer.w, by), ...(bias && { b: bias }) }, ...parts);
}

/** One for each pair of weights, so that a pass finds it again at every step. */
const foldedWeights = new WeakMap<object, WeakMap<object, DerivedWeight>>();

function foldedWeight(w: Tensor | DerivedWeight, by: Tensor | DerivedWeight): DerivedWeight {
  const known = foldedWeights.get(w) ?? new WeakMap<object, DerivedWeight>();
  foldedWeights.set(w, known);
  const made = (of: Tensor | DerivedWeight): Tensor =>
    of instanceof DerivedWeight ? permuted(of.make(), of.axes) : of;
  // The product is over the last axis, so that weights whose last axis stays the last are not copied before it.
  const isLast = w instanceof DerivedWeight && w.axes.at(-1) === w.axes.length - 1;
  const shape = w.shape.with(-1, by.shape[1]);
  const weight =
    known.get(by) ??
    derived(shape, () => overLastAxis(isLast ? w.make() : made(w), made(by)), isLast ? { axes: w.axes } : {});
  known.set(by, weight);
  return weight;
}

/** x·W for x [.., in] with any number of axes. */
function overLastAxis(x: Tensor, w: Tensor): Tensor {
  const [width, out] = w.shape;
  return reshape(matmul(reshape(x, [x.size / width, width]), w), x.shape.with(-1, out));
}

/** What an expression is where no attention flows: a value that is the same for all edges, or undefined if it differs. */
export function withoutAttention(x: EdgeExpression): EdgeExpression | undefined {
  const { term } = x;
  switch (term.kind) {
    case 'constant':
      return x;
    case 'read':
      return term.end === 'attention' ? expressionOf(0) : undefined;
    case 'times': {
      const sides = [withoutAttention(term.left), withoutAttention(term.right)];
      if (sides.some((side) => side && isZero(side))) return expressionOf(0);
      return sides[0] && sides[1] && sides[0].times(sides[1]);
    }
    case 'plus': {
      const [left, right] = [withoutAttention(term.left), withoutAttention(term.right)];
      if (!left || !right) return undefined;
      return isZero(left) ? right : isZero(right) ? left : left.plus(right);
    }
    case 'map': {
      const inner = withoutAttention(term.x);
      if (inner && isZero(inner) && keepsZero.has(term.fn)) return expressionOf(0);
      return inner && new EdgeExpression({ kind: 'map', fn: term.fn, x: inner }, undefined, x.shape);
    }
    case 'linear': {
      const inner = withoutAttention(term.x);
      if (!inner || !isZero(inner)) return undefined;
      return expressionOf(term.layer.b ?? 0);
    }
    default:
      return undefined;
  }
}

/** Functions that give 0 for 0. */
const keepsZero = new Set<RowFunction>([abs, neg, relu, sqrt, square, tanh]);

function isZero({ term }: EdgeExpression): boolean {
  return term.kind === 'constant' && term.value === 0;
}
