/**
 * What an example asks. Its query q has an embedding e_q, and nodes have inputs x_i for questions alone. With that of the
 * source s they make what is wanted at step t,
 *
 *   c_t = tanh([e_q : x_s : e_q ⊙ x_s] C + τ_t),   τ_t a layer on sines and cosines of t.
 *
 * The logit of an edge gets how far the edge is what is wanted,
 *
 *   l_ij + c_t·φ_ij + κ_type,   φ_ij = tanh(k_type + x_i S + x_j R),
 *
 * the state of the source starts with e_q B more, where states change, and messages that attention acts on get e_q M. Whatever
 * no attention has reached is that of all examples: the background.
 */
import type { EdgeExpression, FlowEdges, FlowPass } from '@flowgrad/graph';
import { createEmbedding, createLinear, initialisers } from '@flowgrad/nn';
import type { Module } from '@flowgrad/nn';
import { add, concat, gather, mul, ones, parameter, reshape, rowIndex, tanh, zeros } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { ResolvedSettings } from '../model/settings.ts';
import { createNodeInputs } from './node-inputs.ts';
import { timeFeatureCount, timeFeatures } from './time-features.ts';

/** What a pass asks. */
export interface Asked {
  /** The states of t = 0, with what is asked: [rows, d]. */
  start(this: void, h: Tensor): Tensor;
  /** The logits of step t, with what is asked; given those without unless they are fixed. Edges that are hidden are closed. */
  logits(this: void, t: number, edges: FlowEdges, logits: EdgeExpression | undefined): EdgeExpression;
  /** A message on which attention acts, with what is asked. */
  message(this: void, edges: FlowEdges, message: EdgeExpression): EdgeExpression;
}

/** The part of a model that takes queries. */
export interface AskingPart {
  readonly modules: Readonly<Record<string, Module>>;
  /** `fixed`: logits that are the same at all steps for all examples, [edges of the plan, 1]; where there are such. */
  of(this: void, pass: FlowPass, fixed?: Tensor): Asked;
  /** ‖X‖² of the free embeddings of nodes; none where there are none. */
  squaredNorm(this: void): Tensor | undefined;
}

/** Everything stays as it is. */
const nothing: Asked = {
  start: (h) => h,
  logits: (_t, _edges, logits) => logits!,
  message: (_edges, message) => message,
};

/** Products of what starts near 0 would stay there for long. */
const start = initialisers.truncatedNormal({ standardDeviation: 0.2 });

export function createAsking(
  { queryCount, nodeCount, edgeTypeCount, d, key: keys, inputs: given }: ResolvedSettings,
  { acts, changes }: { readonly acts: boolean; readonly changes: boolean },
): AskingPart {
  if (queryCount === 0) return { modules: {}, of: () => nothing, squaredNorm: () => undefined };
  const key = keys.child('asking');
  const inputs = createNodeInputs({ nodeCount, d, key, start }, given);
  const query = createEmbedding({ count: queryCount, d, key: key.child('query'), w: start });
  const type = createEmbedding({ count: edgeTypeCount, d, key: key.child('type'), w: start });
  const bias = parameter(zeros([edgeTypeCount, 1]));
  const wanted = createLinear({ in: 3 * d, out: d, key: key.child('wanted') });
  const clock = createLinear({ in: timeFeatureCount, out: d, key: key.child('clock') });
  const sender = createLinear({ in: d, out: d, key: key.child('sender') });
  const receiver = createLinear({ in: d, out: d, key: key.child('receiver') });
  const begin = changes ? createLinear({ in: d, out: d, key: key.child('begin') }) : undefined;
  const say = acts ? createLinear({ in: d, out: d, key: key.child('say') }) : undefined;

  const of = (pass: FlowPass, fixed?: Tensor): Asked => {
    if (!pass.asks) return nothing;
    const { ofEdges } = pass;
    const q = pass.ofQueries(query.w);
    const x = inputs.nodes(pass.ofSources);
    const c = wanted.apply(concat([q, x, mul(q, x)], 1));
    const T = pass.length;
    const times = clock.apply(timeFeatures(T));
    const said = say?.apply(q);
    const ends = add(
      sender.apply(inputs.nodes(ofEdges.sender)),
      receiver.apply(inputs.nodes(ofEdges.receiver)),
    );
    const features = tanh(add(ends, ofEdges.type(type.w)));
    const own = ofEdges.type(bias);
    /** c·φ + κ is one product, [c : 1]·[φ : κ]. */
    const one = ones([pass.examples, 1]);
    const wantedAt = Array.from({ length: T }, (_, t) =>
      concat([tanh(add(c, gather(times, rowIndex([t], T)))), one], 1),
    );
    const beside = concat([features, fixed ? add(own, fixed) : own], 1);
    return {
      start: (h) => (begin ? add(h, pass.atSources(begin.apply(q))) : h),
      logits: (t, edges, logits) => {
        const asked = edges.ofAsked(wantedAt[t], beside);
        return logits ? logits.plus(asked) : asked;
      },
      message: (edges, message) =>
        said ? message.plus(edges.example(reshape(said, [said.shape[0], ...message.shape]))) : message,
    };
  };
  const modules = {
    ...inputs.modules,
    query,
    type,
    bias,
    wanted,
    clock,
    sender,
    receiver,
    ...(begin && { begin }),
    ...(say && { say }),
  };
  return { modules: { asking: modules }, of, squaredNorm: inputs.squaredNorm };
}
