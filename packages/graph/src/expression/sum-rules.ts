/**
 * How a sum over edges is computed: rules, tried in order. Each says when it applies and which op it leads to; the last
 * always applies. `explain` tells which one was taken.
 */
import {
  add,
  attendedSum,
  gatherSum,
  mul,
  recompute,
  reshape,
  scatterAdd,
  tanh,
  tensor,
  TensorError,
  weightedSum,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { EdgeExpression } from './edge-expression.ts';
import type { Arrivals } from './edge-space.ts';
import { aligned, Lowering } from './lower.ts';
import { endOf, factorsOf, hasType, withoutAttention } from './rewrite.ts';

interface SumRule {
  readonly op: string;
  /** Completes "because …". */
  readonly because: string;
  /** What computes the sum of such an expression; undefined if the rule does not apply. */
  match(this: void, x: EdgeExpression): ((lowering: Lowering, arrivals: Arrivals) => Tensor) | undefined;
}

/** Σ tanh(w·v + b), with v read from one end: no tensor with a row per edge. */
const attended: SumRule = {
  op: 'attendedSum',
  because: 'it is tanh(w·v + b) with v read from one end',
  match: (x) => {
    if (x.term.kind !== 'map' || x.term.fn !== tanh || x.term.x.term.kind !== 'plus') return undefined;
    const { left, right } = x.term.x.term;
    const [product, bias] = right.term.kind === 'constant' ? [left, right] : [right, left];
    const scaled = scaledRows(product);
    if (!scaled || bias.term.kind !== 'constant' || typeof bias.term.value === 'number') return undefined;
    const b = bias.term.value;
    if (b.rank !== 1 || scaled.weights.every(({ shape }) => shape.length < x.shape.length - 1))
      return undefined;
    return (lowering, { edges, into, unattended }) => {
      const { values, index } = lowering.form(scaled.rows, edges);
      const sum = attendedSum(reshape(values, [values.shape[0], channelsOf(x)]), {
        weights: weightOf(lowering, scaled, edges),
        bias: b,
        from: index!,
        into,
        ...(unattended && { unattended }),
      });
      return reshape(sum, [into.rows, ...x.shape]);
    };
  },
};

/** Σ w·v, with v read from one end and w a number, or one per head. */
const weighted: SumRule = {
  op: 'weightedSum',
  because: 'it is w·v with v read from one end',
  match: (x) => {
    const scaled = x.shape.length === 0 ? undefined : scaledRows(x);
    if (!scaled) return undefined;
    // A row for each type of a node is as much as a row for each edge.
    const mayBeLarge = hasType(scaled.rows);
    return (lowering, arrivals) => {
      const { edges, into } = arrivals;
      const summed = (by: Lowering): Tensor => {
        const weights = weightOf(by, scaled, edges);
        // The rows come last: what is summed at once is read while it is in the cache.
        const { values, index } = by.form(scaled.rows, edges);
        const rows = reshape(values, [values.shape[0], channelsOf(x)]);
        return weightedSum(weights, rows, { from: index!, to: into });
      };
      const sum = mayBeLarge ? madeAgain(x, lowering, summed) : summed(lowering);
      return withSilent(x, reshape(sum, [into.rows, ...x.shape]), arrivals);
    };
  },
};

/** Σ v, with v read from one end. */
const gathered: SumRule = {
  op: 'gatherSum',
  because: 'all of it is read from one end',
  match: (x) => {
    if (endOf(x) === undefined) return undefined;
    return (lowering, arrivals) => {
      const { values, index } = lowering.form(x, arrivals.edges);
      return withSilent(x, gatherSum(values, index!, arrivals.into), arrivals);
    };
  },
};

/** A tensor with a row per edge, and its sum by receiver. */
const composed: SumRule = {
  op: 'scatterAdd',
  because: 'no other rule applies, so that every edge has a row of its own',
  match: (x) => (lowering, arrivals) => {
    const { edges, into } = arrivals;
    const sum = madeAgain(x, lowering, (by) => scatterAdd(by.spread(x, edges), into));
    return withSilent(x, sum, arrivals);
  },
};

export const sumRules: readonly SumRule[] = [attended, gathered, weighted, composed];

/** What is made on the way to the sum is made again in the backward pass where it is too large to keep. */
function madeAgain(x: EdgeExpression, lowering: Lowering, summed: (by: Lowering) => Tensor): Tensor {
  const { space } = lowering;
  if (!space.recomputes(channelsOf(x))) return summed(lowering);
  // Only steps of a pass share what they make.
  if (space.lowering) lowering.prepare(x);
  return recompute(() => summed(new Lowering(space, lowering)));
}

interface ScaledRows {
  /** Numbers, or a number per head. */
  readonly weights: readonly EdgeExpression[];
  /** Read from one end. */
  readonly rows: EdgeExpression;
}

/** An expression as a product of weights and one factor that is read from one end; undefined if it is none. */
function scaledRows(x: EdgeExpression): ScaledRows | undefined {
  const factors = factorsOf(x);
  const wide = factors.filter(({ shape }) => shape.length === x.shape.length);
  const weights = factors.filter((each) => !wide.includes(each));
  if (wide.length !== 1 || weights.length === 0 || endOf(wide[0]) === undefined) return undefined;
  return { weights, rows: wide[0] };
}

/** [edges], or [edges, heads] */
function weightOf(lowering: Lowering, { weights }: ScaledRows, edges: Arrivals['edges']): Tensor {
  const rank = Math.max(...weights.map(({ shape }) => shape.length));
  // Those with most axes first, as the others are broadcast over them.
  return [...weights]
    .sort((a, b) => b.shape.length - a.shape.length)
    .map((each) => aligned(lowering.spread(each, edges), rank))
    .reduce((product, each) => mul(product, each));
}

function channelsOf({ shape }: EdgeExpression): number {
  return shape.reduce((product, extent) => product * extent, 1);
}

/** Adds what edges without attention contribute, which the set leaves out: a constant for each of them. */
function withSilent(x: EdgeExpression, sum: Tensor, { unattended }: Arrivals): Tensor {
  if (!unattended) return sum;
  const silent = withoutAttention(x);
  if (!silent) {
    throw new TensorError(
      'sumIn',
      'option',
      'expected messages that are all alike where no attention flows, got some that differ (multiply by the flow first)',
    );
  }
  if (silent.term.kind === 'constant' && silent.term.value === 0) return sum;
  const each = constantOf(silent);
  const ones = new Array<number>(sum.rank - 1 - each.rank).fill(1);
  return add(sum, mul(aligned(unattended, sum.rank - 1), reshape(each, [1, ...ones, ...each.shape])));
}

/** The value of an expression that is the same for all edges. */
function constantOf({ term }: EdgeExpression): Tensor {
  switch (term.kind) {
    case 'constant':
      return typeof term.value === 'number' ? tensor(term.value) : term.value;
    case 'map':
      return oneRow(term.fn, constantOf(term.x));
    case 'plus':
      return add(constantOf(term.left), constantOf(term.right));
    case 'times':
      return mul(constantOf(term.left), constantOf(term.right));
    default:
      throw new TensorError('sumIn', 'option', `expected a constant, got ${term.kind}`);
  }
}

function oneRow(fn: (x: Tensor) => Tensor, value: Tensor): Tensor {
  const result = fn(reshape(value, [1, ...value.shape]));
  return reshape(result, result.shape.slice(1));
}
