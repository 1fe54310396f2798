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

/** e to this is 0. */
export const never = -1e9;

function createStopping({ stopping, d, edgeTypeCount, key }: ResolvedSettings): OnwardPart {
  /** All but that of the loops, which is the last. */
  const types = edgeTypeCount - 1;
  const byMissing = stopping === 'missing' && types > 0;
  const stop = byMissing ? createLinear({ in: d, out: types, key: key.child('stop') }) : undefined;

  const of = (pass: FlowPass): Onward => {
    if (!pass.hasLoops()) throw withoutLoops();
    const leads = new Array<number>(types).fill(1);
    const elsewhere = tensor([...leads, 0]);
    const loops = sub(1, elsewhere);
    /** [nodes, types]: 0 for types of which no edge leaves the node. */
    const present = stop && mul(sub(1, split(pass.missing(), [types, 1], 1)[0]), never);
    return {
      start: { moving: pass.attention, stopped: mul(pass.attention, 0) },
      logits: ({ ofType, action }, logits, { h, rows }) => {
        if (!stop || !present) return logits;
        const stay = logSumExp(add(stop.apply(h), rows.ofNodes(present)));
        const ofLoops = concat([zeros([h.shape[0], types]), stay], 1);
        return logits.times(ofType(elsewhere)).plus(action(ofLoops));
      },
      flow: ({ attention, ofType }, T, { moving, stopped }) =>
        T.times(attention(moving)).plus(ofType(loops).times(attention(stopped!))),
      next: ({ focus, ofType }, flow) => ({
        moving: focus(flow.times(ofType(elsewhere))),
        stopped: focus(flow.times(ofType(loops))),
      }),
    };
  };
  return { modules: { ...(stop && { stop }) }, of };
}

/** [rows, n] → [rows, 1] */
export function logSumExp(x: Tensor): Tensor {
  const top = max(x, 1, { keepDims: true });
  return add(top, log(sum(exp(sub(x, top)), 1, { keepDims: true })));
}

function withoutLoops(): TensorError {
  return new TensorError(
    'forward',
    'option',
    'expected a graph with a self-loop of the last type on every node for a model that stops, got one without ' +
      '(plan on withSelfLoops(graph))',
  );
}
