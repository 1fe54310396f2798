/**
 * Regular graph networks, in which attention is a mark on the source that messages carry along:
 *
 *   h⁰ = [ḣ : ḧ],   ḣ_src = 1̃ = 1/‖1‖ and 0 elsewhere,   ḧ = f_init(u);   scores ⟨ḣᵀ, 1̃⟩
 */
import type { Plan, PlanKind } from '@flowgrad/graph';
import { createLinear } from '@flowgrad/nn';
import {
  concat,
  crossEntropy,
  full,
  gather,
  mean,
  mul,
  reshape,
  scatterAdd,
  scope,
  slice,
  sum,
  tanh,
  TensorError,
  zeros,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { edgePass, totalMessages } from '../messages/message-function.ts';
import type { MessagePart } from '../messages/message-function.ts';
import { createNodeInputs } from '../parts/node-inputs.ts';
import { createGlobalUpdate } from '../updates/global-update.ts';
import type { NodeUpdatePart } from '../updates/node-update.ts';
import { checkPlan, missingTargets } from './model.ts';
import type { Forward, ForwardOptions, Model } from './model.ts';
import type { ResolvedSettings } from './settings.ts';
import { withDecay } from './with-decay.ts';

/** The parts of a network without attention flow, which marks the source instead. */
export interface RegularNetworkParts {
  readonly name: string;
  readonly message: MessagePart;
  readonly update: NodeUpdatePart;
  readonly hasGlobal?: boolean;
}

export function buildRegularNetwork(parts: RegularNetworkParts, settings: ResolvedSettings): Model {
  const { name, hasGlobal = false } = parts;
  const { d, key, attentionChannels: channels } = settings;
  if (channels >= d) {
    throw new TensorError(
      'createModel',
      'option',
      `expected fewer attentionChannels than d = ${d}, got ${channels}`,
    );
  }
  const kind: PlanKind = { states: hasGlobal ? 'markedGlobal' : 'marked', messages: parts.message.reads };
  const inputs = createNodeInputs(settings, settings.inputs);
  const init = createLinear({ in: d, out: d - channels, key: key.child('init') });
  const message = parts.message.build(settings);
  const update = parts.update.build({ ...settings, hasMessages: true, hasGlobal });
  const global = hasGlobal
    ? createGlobalUpdate(settings, { hasMessages: true, reduction: 'mean' })
    : undefined;
  const reference = 1 / Math.sqrt(channels);

  /** h⁰ = [ḣ : ḧ] */
  const startStates = (u: Tensor, plan: Plan): Tensor => {
    const mark = scatterAdd(full([plan.examples, channels], reference), plan.marked!.sources);
    return concat([mark, gather(tanh(init.apply(u)), plan.rows[0].nodes)], 1);
  };

  /** ⟨ḣ_i, 1̃⟩ of every node: [examples, nodes] */
  const logits = (plan: Plan): Tensor => {
    const u = inputs.nodes();
    const prepared = message.prepare();
    const perEdge = edgePass(plan, settings);
    let now = {
      h: startStates(u, plan),
      g: global && zeros([plan.examples, d]),
      u: gather(u, plan.rows[0].nodes),
    };
    plan.steps.forEach((step, t) => {
      now = scope(() => {
        const { rows: senderRows } = step.senders;
        const states = {
          rows: now.h,
          senders: senderRows ? gather(now.h, senderRows) : now.h,
          ...(now.g && { global: now.g }),
        };
        const messages = totalMessages(prepared, states, step, perEdge);
        const rows = plan.rows[t + 1];
        const ofNodes = rows === plan.rows[t] ? now.u : gather(u, rows.nodes);
        const h = update.apply({
          states: step.carry ? gather(now.h, step.carry) : now.h,
          inputs: ofNodes,
          messages,
          ...(now.g && { global: gather(now.g, rows.examples!) }),
        });
        const g = global?.apply({ global: now.g!, states: h, messages, examples: rows.examples! });
        return { h, g, u: ofNodes };
      }, `${name} step`);
    });
    const marks = slice(now.h, [0, 0], [now.h.shape[0], channels]);
    const perRow = mul(sum(marks, 1), reference);
    return reshape(gather(perRow, plan.marked!.outputs), [plan.examples, plan.nodeCount]);
  };

  const forward = (plan: Plan, options: ForwardOptions = {}): Forward => {
    checkPlan('forward', { name, kind }, plan);
    if (options.flows) {
      throw new TensorError(
        'forward',
        'option',
        `expected no flows, as ${name} has no explicit flow, got flows: true`,
      );
    }
    return scope(() => ({ scores: logits(plan) }), 'forward');
  };

  const loss = (plan: Plan): Tensor => {
    checkPlan('loss', { name, kind }, plan);
    const targets = plan.marked!.targets;
    if (!targets) throw missingTargets();
    return scope(
      () => withDecay(mean(crossEntropy(logits(plan), targets)), inputs, settings.weightDecay),
      'loss',
    );
  };

  const modules = {
    ...inputs.modules,
    init,
    ...message.modules,
    ...update.modules,
    ...global?.modules,
  };
  return { name, kind, ...modules, forward, loss };
}
