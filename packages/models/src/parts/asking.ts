/**
 * What an example asks. Its query q has an embedding e_q, which with the input u_s of its source makes what is wanted at step t,
 *
 *   c_t = tanh([e_q : u_s : e_q ⊙ u_s] C + τ_t),   τ_t a layer on sines and cosines of t.
 *
 * The logit of an edge gets how far its type and its receiver are what is wanted,
 *
 *   l_ij + c_t·k_type + κ_type + c_t·(u_j R),
 *
 * and messages that attention acts on get e_q M. So the background stays that of all examples. Random walks, whose states no
 * message reads, have h ⊙ (1 + c_t G + g) in place of h in the first term of the logit too.
 */
import type { EdgeExpression, FlowEdges, FlowPass, StateRows } from '@flowgrad/graph';
import { createEmbedding, createLinear } from '@flowgrad/nn';
import type { Module } from '@flowgrad/nn';
import { add, concat, gather, matmul, mul, reshape, rowIndex, tanh, transpose } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { ResolvedSettings } from '../model/settings.ts';
import type { NodeInputs } from './node-inputs.ts';
import { timeFeatureCount, timeFeatures } from './time-features.ts';

/** What a pass asks. */
export interface Asked {
  /** The states that the transition of step t reads. */
  states(this: void, t: number, now: { readonly h: Tensor; readonly rows: StateRows }): Tensor;
  /** The logits of step t, with what is asked. Edges that are hidden are closed. */
  logits(this: void, t: number, edges: FlowEdges, logits: EdgeExpression): EdgeExpression;
  /** A message on which attention acts, with what is asked. */
  message(this: void, edges: FlowEdges, message: EdgeExpression): EdgeExpression;
}

/** The part of a model that takes queries. */
export interface AskingPart {
  readonly modules: Readonly<Record<string, Module>>;
  of(this: void, pass: FlowPass): Asked;
}

/** Everything stays as it is. */
const nothing: Asked = {
  states: (_t, { h }) => h,
  logits: (_t, _edges, logits) => logits,
  message: (_edges, message) => message,
};

export function createAsking(
  { queryCount, edgeTypeCount, d, key: keys }: ResolvedSettings,
  inputs: NodeInputs,
  { acts, walks }: { readonly acts: boolean; readonly walks: boolean },
): AskingPart {
  if (queryCount === 0) return { modules: {}, of: () => nothing };
  const key = keys.child('asking');
  const query = createEmbedding({ count: queryCount, d, key: key.child('query') });
  const type = createLinear({ in: d, out: edgeTypeCount, key: key.child('type') });
  const wanted = createLinear({ in: 3 * d, out: d, key: key.child('wanted') });
  const clock = createLinear({ in: timeFeatureCount, out: d, key: key.child('clock') });
  const receiver = createLinear({ in: d, out: d, key: key.child('receiver') });
  const gate = walks ? createLinear({ in: d, out: d, key: key.child('gate') }) : undefined;
  const say = acts ? createLinear({ in: d, out: d, key: key.child('say') }) : undefined;

  const of = (pass: FlowPass): Asked => {
    if (!pass.asks) return nothing;
    const q = pass.ofQueries(query.w);
    const u = inputs.nodes(pass.ofSources);
    const c = wanted.apply(concat([q, u, mul(q, u)], 1));
    const T = pass.steps.length;
    const times = clock.apply(timeFeatures(T));
    const said = say?.apply(q);
    const places = transpose(receiver.apply(inputs.nodes()));
    const wantedAt = Array.from({ length: T }, (_, t) => tanh(add(c, gather(times, rowIndex([t], T)))));
    return {
      states: (t, { h, rows }) => (gate ? mul(h, add(1, rows.ofExamples(gate.apply(wantedAt[t])))) : h),
      logits: (t, edges, logits) =>
        logits.plus(edges.ofAsked(type.apply(wantedAt[t]), matmul(wantedAt[t], places))),
      message: (edges, message) =>
        said ? message.plus(edges.example(reshape(said, [said.shape[0], ...message.shape]))) : message,
    };
  };
  const modules = { query, type, wanted, clock, receiver, ...(gate && { gate }), ...(say && { say }) };
  return { modules: { asking: modules }, of };
}
