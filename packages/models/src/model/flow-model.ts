/**
 * Models whose attention flows explicitly. All attention is on the source at first; then, step by step,
 *
 *   T_ij = softmax over the outgoing edges of i of w_type·[h_i : h_j : h_i ⊙ h_j] + b_type,
 *   ã_ij = T_ij a_i,   a'_j = Σ_i ã_ij,   m̄_j = Σ_i A(ã_ij, m_ij),   h'_j = f(h_j, m̄_j, u_j, g),   g' = f(g, h', m̄).
 *
 * What examples ask is in `parts/asking.ts`. Attention on a self-loop moves on at the next step, or stays for good: see `parts/onward.ts`.
 * Random walks and remodelled graph networks are one loop; they differ in the parts they have.
 */
import { dotTyped, softmaxOut, sumIn } from '@flowgrad/graph';
import type { FlowEdges, FlowPass, StateRows, Step } from '@flowgrad/graph';
import { createLinear, createTypedLinear } from '@flowgrad/nn';
import type { TypedLinear } from '@flowgrad/nn';
import { add, concat, mul, reshape, sum, tanh, zeros } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { createGlobalUpdate } from '../networks/full-gn.ts';
import type { ActingPart, MessagePart, NodeUpdatePart, States } from '../networks/network-parts.ts';
import { createAsking } from '../parts/asking.ts';
import { createNodeInputs } from '../parts/node-inputs.ts';
import type { NodeInputs } from '../parts/node-inputs.ts';
import { allOf, createOnward } from '../parts/onward.ts';
import type { Focus } from '../parts/onward.ts';
import { flowKind } from './derive-kind.ts';
import type { Model } from './model.ts';
import type { ResolvedSettings } from './settings.ts';
import { walkAlong, walked } from './walked.ts';
import type { Walk } from './walked.ts';

/** The parts of a model in which attention flows. */
export interface FlowModelParts {
  readonly name: string;
  /** None: a random walk. */
  readonly message?: MessagePart;
  /** None: attention does not act on messages. */
  readonly acting?: ActingPart;
  /** None: the states are the node inputs and never change. */
  readonly update?: NodeUpdatePart;
  readonly hasGlobal?: boolean;
}

/** What goes from step to step. */
interface FlowStates extends States {
  readonly focus: Focus;
  /** Whose the states are. */
  readonly rows: StateRows;
}

export function buildFlowModel(parts: FlowModelParts, settings: ResolvedSettings): Model {
  const { name, hasGlobal = false } = parts;
  const { d, key, edgeTypeCount, messageMemory } = settings;
  const hasMessages = parts.message !== undefined;
  const inputs = createNodeInputs(settings, settings.inputs);
  const init = parts.update && createLinear({ in: d, out: d, key: key.child('init') });
  const trans = createTypedLinear({ types: edgeTypeCount, in: 3 * d, out: 1, key: key.child('trans') });
  const messages = parts.message?.build(settings);
  const acting = parts.acting?.build({ width: messages?.width ?? d, key });
  const nodes = parts.update?.build({ ...settings, hasMessages, hasGlobal });
  const global = hasGlobal ? createGlobalUpdate(settings, { hasMessages }) : undefined;

  const onward = createOnward(settings);
  const asking = createAsking(settings, {
    acts: acting !== undefined,
    changes: nodes !== undefined,
  });
  const asks = settings.queryCount > 0;

  const walk = (pass: FlowPass, u: Tensor): Walk => {
    const goes = onward.of(pass);
    // States that never change give an edge the same logit for all examples, to which comes what is asked.
    const fixed = nodes || !pass.asks ? undefined : fixedLogits(trans, pass, inputs);
    const asked = asking.of(pass, fixed);
    /** T_ij */
    const transition = (t: number, edges: FlowEdges, now: FlowStates) => {
      const logits = fixed ? undefined : dotTyped(trans, edges.sender(now.h), edges.receiver(now.h));
      return softmaxOut(goes.logits(edges, asked.logits(t, edges, logits), now));
    };

    const start: FlowStates = {
      h: asked.start(pass.start.ofNodes(init ? tanh(init.apply(u)) : u)),
      rows: pass.start,
      focus: goes.start,
      ...(global && { g: zeros([pass.examples, d]) }),
    };
    // Without updates and queries the transition is the same at every step.
    const [first] = pass.steps;
    const stationary = nodes || asks ? undefined : first.flowing(transition(0, first, start));

    const step = (now: FlowStates, edges: Step<FlowEdges>, t: number): { next: FlowStates; flow: Tensor } => {
      // ã_ij = T_ij a_i,   a'_j = Σ_i ã_ij
      const T = stationary ? edges.edge(stationary) : transition(t, edges, now);
      const flow = goes.flow(edges, T, now.focus);
      const focus = goes.next(edges, flow);
      const { after } = edges;
      if (!nodes || !after) return { next: { ...now, focus }, flow: edges.flowing(flow) };
      // m̄_j = Σ_i A(ã_ij, m_ij)
      const message = messages?.message(edges, now);
      const m = message && rowsOf(sumIn(acting ? acting.act(flow, asked.message(edges, message)) : message));
      // h' = f(h, m̄, u, g),   g' = f(g, h', m̄)
      const h = nodes.update({
        h: edges.carried(now.h),
        u: after.fromNodes(u),
        ...(m && { m }),
        ...(now.g && { g: after.fromExamples(now.g) }),
      });
      const g = now.g && global?.update(after, { g: now.g, h, a: allOf(focus), m });
      return { next: { h, rows: after, focus, ...(g && { g }) }, flow: edges.flowing(flow) };
    };

    return walkAlong(name, pass, start, step);
  };

  const kind = flowKind({ edgeTypeCount, d, hasGlobal, asks }, walk);
  const { weightDecay } = settings;
  const decayed = { ...inputs, squaredNorm: () => addedUp([inputs.squaredNorm(), asking.squaredNorm()]) };
  const options = { messageMemory };
  const modules = {
    ...inputs.modules,
    ...(init && { init }),
    trans,
    ...messages?.modules,
    ...acting?.modules,
    ...nodes?.modules,
    ...global?.modules,
    ...onward.modules,
    ...asking.modules,
  };
  return {
    name,
    kind,
    ...modules,
    ...walked({ name, kind, settings, inputs: decayed, weightDecay, options }, walk),
  };
}

/** w_type·[u_i : u_j : u_i ⊙ u_j] + b_type of each edge that the plan has: [edges of the plan, 1] */
function fixedLogits(trans: TypedLinear, { ofEdges }: FlowPass, inputs: NodeInputs): Tensor {
  const [u, v] = [inputs.nodes(ofEdges.sender), inputs.nodes(ofEdges.receiver)];
  const w = ofEdges.type(reshape(trans.w, trans.w.shape.slice(0, 2)));
  const products = sum(mul(w, concat([u, v, mul(u, v)], 1)), 1, { keepDims: true });
  return add(products, ofEdges.type(trans.b!));
}

/** Undefined if there is nothing to add. */
const addedUp = (terms: readonly (Tensor | undefined)[]): Tensor | undefined =>
  terms.reduce((sum, term) => (sum && term ? add(sum, term) : (sum ?? term)), undefined);

/** [rows, heads, width] → [rows, d] */
export function rowsOf(x: Tensor): Tensor {
  const width = x.shape.slice(1).reduce((product, extent) => product * extent, 1);
  return x.rank === 2 ? x : reshape(x, [x.shape[0], width]);
}
