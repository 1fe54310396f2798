/**
 * Regular graph networks, in which attention is a mark on the source that messages carry along:
 *
 *   h⁰ = [ḣ : ḧ],   ḣ_src = 1̃ = 1/‖1‖ and 0 elsewhere,   ḧ = f_init(u);
 *   m̄_j = Σ_i m_ij,   h'_j = f(h_j, m̄_j, u_j, g),   g' = f(g, h', m̄);   scores ⟨ḣᵀ, 1̃⟩
 */
import { overMark, sumIn } from '@flowgrad/graph';
import type { MarkPass, PassOptions, Plan, Step, StepEdges } from '@flowgrad/graph';
import { createLinear } from '@flowgrad/nn';
import {
  concat,
  crossEntropy,
  mean,
  mul,
  scope,
  slice,
  sum,
  tanh,
  TensorError,
  zeros,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { createGlobalUpdate } from '../networks/full-gn.ts';
import type { MessagePart, NodeUpdatePart, States } from '../networks/network-parts.ts';
import { createNodeInputs } from '../parts/node-inputs.ts';
import { markKind } from './derive-kind.ts';
import { rowsOf } from './flow-model.ts';
import { checkPlan, missingTargets } from './model.ts';
import type { Forward, ForwardOptions, LossOptions, Model } from './model.ts';
import type { ResolvedSettings } from './settings.ts';
import { withDecay } from './with-decay.ts';

/** The parts of a network without attention flow, which marks the source instead. */
export interface MarkModelParts {
  readonly name: string;
  readonly message: MessagePart;
  readonly update: NodeUpdatePart;
  readonly hasGlobal?: boolean;
}

export function buildMarkModel(parts: MarkModelParts, settings: ResolvedSettings): Model {
  const { name, hasGlobal = false } = parts;
  const { d, key, edgeTypeCount, attentionChannels: channels, messageMemory } = settings;
  const inputs = createNodeInputs(settings, settings.inputs);
  const init = createLinear({ in: d, out: d - channels, key: key.child('init') });
  const messages = parts.message.build(settings);
  const nodes = parts.update.build({ ...settings, hasMessages: true, hasGlobal });
  const global = hasGlobal ? createGlobalUpdate(settings, { hasMessages: true }) : undefined;
  /** Each channel of 1̃ = 1/‖1‖. */
  const reference = 1 / Math.sqrt(channels);

  /** ⟨ḣ_i, 1̃⟩ of every node: [examples, nodes] */
  const logits = (pass: MarkPass, u: Tensor): Tensor => {
    const step = (now: States, edges: Step<StepEdges>): States => {
      const after = edges.after!;
      // m̄_j = Σ_i m_ij
      const m = rowsOf(sumIn(messages.message(edges, now)));
      // h' = f(h, m̄, u, g),   g' = f(g, h', m̄)
      const h = nodes.update({
        h: edges.carried(now.h),
        u: after.fromNodes(u),
        m,
        ...(now.g && { g: after.fromExamples(now.g) }),
      });
      const g = now.g && global?.update(after, { g: now.g, h, m });
      return { h, ...(g && { g }) };
    };
    // h⁰ = [ḣ : ḧ]
    const start = pass.start.ofNodes(tanh(init.apply(u)));
    let now: States = {
      h: concat([pass.mark(channels, reference), start], 1),
      ...(global && { g: zeros([pass.examples, d]) }),
    };
    for (const edges of pass.steps) now = scope(() => step(now, edges), `${name} step`);
    const marks = slice(now.h, [0, 0], [now.h.shape[0], channels]);
    return pass.ofAllNodes(mul(sum(marks, 1), reference));
  };

  const options: PassOptions = { messageMemory };
  const kind = markKind({ edgeTypeCount, d, hasGlobal }, logits);

  const forward = (plan: Plan, { flows = false }: ForwardOptions = {}): Forward => {
    checkPlan('forward', { name, kind, settings }, plan);
    if (flows) {
      throw new TensorError(
        'forward',
        'option',
        `expected no flows, as ${name} has no explicit flow, got flows: true`,
      );
    }
    return overMark(plan, options, (pass) => ({ scores: logits(pass, inputs.nodes(pass.read)) }));
  };

  const loss = (plan: Plan, lossOptions?: LossOptions): Tensor => {
    checkPlan('loss', { name, kind, settings }, plan);
    return overMark(plan, options, (pass) => {
      if (!pass.destinations) throw missingTargets();
      const scores = logits(pass, inputs.nodes(pass.read));
      return withDecay(
        mean(crossEntropy(scores, pass.destinations)),
        inputs,
        settings.weightDecay,
        lossOptions,
      );
    });
  };

  const modules = { ...inputs.modules, init, ...messages.modules, ...nodes.modules, ...global?.modules };
  return { name, kind, ...modules, forward, loss };
}
