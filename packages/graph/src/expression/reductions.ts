/** Reductions: from values of edges to values of nodes. */
import { div, maximum, reshape, segmentMax, TensorError } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { EdgeExpression } from './edge-expression.ts';
import type { Arrivals, EdgeSpace } from './edge-space.ts';
import { aligned, Lowering } from './lower.ts';
import { readsEdgesAlone } from './reads.ts';
import { simplified } from './rewrite.ts';
import { sumRules } from './sum-rules.ts';

/** out_j = Σ x_ij over the edges (i, j) that arrive at j: [nodes, …shape]. 0 where none does. */
export function sumIn(x: EdgeExpression): Tensor {
  const space = spaceOf('sumIn', x);
  space.notice?.(x);
  const arrivals = space.own && readsEdgesAlone(x) ? space.own : arrivalsOf('sumIn', space);
  return summed('sumIn', x, space, arrivals);
}

/** out_i = Σ x_ij over the edges (i, j) that leave i: [nodes, …shape]. 0 where none does. */
export function sumOut(x: EdgeExpression): Tensor {
  const space = spaceOf('sumOut', x);
  if (!space.out)
    throw new TensorError('sumOut', 'option', 'expected all outgoing edges, got a step without them');
  return summed('sumOut', x, space, { edges: space.out.edges, into: space.out.senders });
}

/** The mean of x_ij over the edges that arrive at j; 0 where none does. */
export function meanIn(x: EdgeExpression): Tensor {
  const sum = sumIn(x);
  const { into } = completeArrivals('meanIn', x);
  return div(sum, aligned(maximum(into.counts, 1), sum.rank - 1));
}

/** The largest x_ij of the edges that arrive at j, channel by channel; 0 where none does. */
export function maxIn(x: EdgeExpression): Tensor {
  const { edges, into } = completeArrivals('maxIn', x);
  return segmentMax(loweringOf(spaceOf('maxIn', x)).spread(simplified(x), edges), into);
}

/** [edges, …shape] of a graph's edges in its own order: for looking at, or for what no reduction does. */
export function perEdge(x: EdgeExpression): Tensor {
  const space = spaceOf('perEdge', x);
  const values = loweringOf(space).spread(
    simplified(x),
    (space.own ?? space.out ?? arrivalsOf('perEdge', space)).edges,
  );
  return values.rank === x.shape.length + 1 ? values : reshape(values, [values.shape[0], ...x.shape]);
}

/** How `sumIn` would compute an expression: the op it leads to, and why. */
export function explain(x: EdgeExpression): string {
  const form = simplified(x);
  const rule = sumRules.find(({ match }) => match(form) !== undefined)!;
  const moved = form === x ? '' : ' after moving linear layers to where they have the fewest rows';
  return `sumIn: ${rule.op}, because ${rule.because}${moved}`;
}

function summed(where: string, x: EdgeExpression, space: EdgeSpace, arrivals: Arrivals): Tensor {
  const form = simplified(x);
  for (const { match } of sumRules) {
    const compute = match(form);
    if (compute) return compute(loweringOf(space), arrivals);
  }
  throw new TensorError(where, 'option', 'expected a rule for every sum, got none');
}

function loweringOf(space: EdgeSpace): Lowering {
  return space.lowering ?? new Lowering(space);
}

function spaceOf(where: string, { space }: EdgeExpression): EdgeSpace {
  if (space) return space;
  throw new TensorError(where, 'option', 'expected a value that differs from edge to edge, got a constant');
}

function arrivalsOf(where: string, space: EdgeSpace): Arrivals {
  if (space.in) return space.in;
  throw new TensorError(
    where,
    'option',
    'expected a step whose messages are asked for, got one without (the last)',
  );
}

function completeArrivals(where: string, x: EdgeExpression): Arrivals {
  const space = spaceOf(where, x);
  const arrivals = arrivalsOf(where, space);
  if (space.inIsComplete) return arrivals;
  throw new TensorError(
    where,
    'option',
    'expected all incoming edges of every receiver, got a step that computes some of them (use sumIn)',
  );
}
