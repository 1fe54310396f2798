/**
 * How attention goes on from step to step. In the paper all of it moves at every step, along self-loops too:
 *
 *   ã_ij = T_ij a_i,   a'_j = Σ_i ã_ij.
 *
 * Where it can stop, what takes a self-loop stays there for good, and counts at the end. Attention is then a + s, with
 *
 *   ã_ij = T_ij a_i,   ã_ii = T_ii a_i + s_i,   a'_j = Σ ã_ij over i ≠ j,   s'_i = ã_ii.
 *
 * Where edge types are directions or actions, one that is missing stops whoever takes it: the logit of a loop is
 *
 *   l_ii = log Σ_k e^(v_k·h_i + c_k) over the types k of which no edge leaves i,
 *
 * so that T is a softmax over all types that the graph has. Where a missing type means nothing, a loop has a logit as other
 * edges have, and when to stay is learned.
 */
import type { EdgeExpression, FlowEdges, FlowPass, StateRows } from '@flowgrad/graph';
import { createLinear } from '@flowgrad/nn';
import type { Module } from '@flowgrad/nn';
import {
  add,
  concat,
  exp,
  log,
  max,
  mul,
  split,
  sub,
  sum,
  tensor,
  TensorError,
  zeros,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { ResolvedSettings } from '../model/settings.ts';

/** The focused attention at one time: what of it moves, and what has stopped for good, if any can. */
export interface Focus {
  readonly moving: Tensor;
  readonly stopped?: Tensor;
}

/** How attention goes on, in one pass. */
export interface Onward {
  readonly start: Focus;
  /** The logits of all edges, given those of edges that lead elsewhere. */
  logits(
    this: void,
    edges: FlowEdges,
    logits: EdgeExpression,
    at: { readonly h: Tensor; readonly rows: StateRows },
  ): EdgeExpression;
  /** ã */
  flow(this: void, edges: FlowEdges, T: EdgeExpression, now: Focus): EdgeExpression;
  /** What is focused after it. */
  next(this: void, edges: FlowEdges, flow: EdgeExpression): Focus;
}

/** A part that says how attention goes on. */
export interface OnwardPart {
  readonly modules: Readonly<Record<string, Module>>;
  of(this: void, pass: FlowPass): Onward;
}

export const createOnward = (settings: ResolvedSettings): OnwardPart =>
  settings.stopping === 'never' ? movesOn : createStopping(settings);

/** All attention of a node, whether it moves or not. */
export const allOf = ({ moving, stopped }: Focus): Tensor => (stopped ? add(moving, stopped) : moving);

const movesOn: OnwardPart = {
  modules: {},
  of: ({ attention }) => ({
    start: { moving: attention },
    logits: (_edges, logits) => logits,
    flow: ({ attention: a }, T, { moving }) => T.times(a(moving)),
    next: ({ focus }, flow) => ({ moving: focus(flow) }),
  }),
};

/** Attention that stops for good on self-loops, in one pass. */
export interface StopsOnLoops extends Omit<Onward, 'logits'> {
  /** A value of each edge, 0 on loops: what of a flow does not stop. */
  moving(this: void, edges: FlowEdges, value: EdgeExpression): EdgeExpression;
}

export function stopsOnLoops(pass: FlowPass, edgeTypeCount: number): StopsOnLoops {
  if (!pass.hasLoops()) throw withoutLoops();
  /** All types but that of the loops, which is the last. */
  const types = edgeTypeCount - 1;
  const elsewhere = tensor([...new Array<number>(types).fill(1), 0]);
  const loops = sub(1, elsewhere);
  const moving: StopsOnLoops['moving'] = ({ ofType }, value) => value.times(ofType(elsewhere));
  return {
    start: { moving: pass.attention, stopped: mul(pass.attention, 0) },
    flow: ({ attention, ofType }, T, { moving: a, stopped }) =>
      T.times(attention(a)).plus(ofType(loops).times(attention(stopped!))),
    next: (edges, flow) => ({
      moving: edges.focus(moving(edges, flow)),
      stopped: edges.focus(flow.times(edges.ofType(loops))),
    }),
    moving,
  };
}

/** e to this is 0. */
const never = -1e9;

/** Of scores of all types but that of the loops [rows, types], log Σ e^score over those that are missing: [rows, 1]. */
export function missingIn(
  pass: FlowPass,
  edgeTypeCount: number,
): (scores: Tensor, rows: StateRows) => Tensor {
  const [missing] = split(pass.missing(), [edgeTypeCount - 1, 1], 1);
  const present = mul(sub(1, missing), never);
  return (scores, rows) => {
    const x = add(scores, rows.ofNodes(present));
    const top = max(x, 1, { keepDims: true });
    return add(top, log(sum(exp(sub(x, top)), 1, { keepDims: true })));
  };
}

function createStopping({ stopping, d, edgeTypeCount, key }: ResolvedSettings): OnwardPart {
  const types = edgeTypeCount - 1;
  const byMissing = stopping === 'missing' && types > 0;
  const stop = byMissing ? createLinear({ in: d, out: types, key: key.child('stop') }) : undefined;

  const of = (pass: FlowPass): Onward => {
    const goes = stopsOnLoops(pass, edgeTypeCount);
    const ofMissing = stop && missingIn(pass, edgeTypeCount);
    return {
      ...goes,
      logits: (edges, logits, { h, rows }) => {
        if (!stop || !ofMissing) return logits;
        const stay = ofMissing(stop.apply(h), rows);
        const ofLoops = concat([zeros([h.shape[0], types]), stay], 1);
        return goes.moving(edges, logits).plus(edges.action(ofLoops));
      },
    };
  };
  return { modules: { ...(stop && { stop }) }, of };
}

function withoutLoops(): TensorError {
  return new TensorError(
    'forward',
    'option',
    'expected a graph with a self-loop of the last type on every node for a model that stops, got one without ' +
      '(plan on withSelfLoops(graph))',
  );
}
