/** Parts as a user writes them, each in a few lines, in models on both plans. */
import { createConePlanner, createDensePlanner, typed } from '@flowgrad/graph';
import type { Planner } from '@flowgrad/graph';
import { createTypedLinear, parameters } from '@flowgrad/nn';
import { mul, ones, parameter, randomKey, sigmoid, sub, tanh, valueAndGrad } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { gatMessage } from '../networks/gat.ts';
import { ggnnMessage, gruUpdate } from '../networks/ggnn.ts';
import type { ActingPart, MessagePart } from '../networks/network-parts.ts';
import { relativeError } from '../testing/relative-error.ts';
import { smallWorld } from '../testing/small-world.ts';
import { defineExplicitFlow, defineRegularNetwork } from './define-model.ts';
import type { Model, ModelDefinition } from './model.ts';
import { createModel } from './registry.ts';

useReference({ precision: 'float64' });

/** m_ij = W_type [h_i : h_j − h_i] + b_type, as in EdgeConv (Wang et al., 2019) */
const edgeConvMessage: MessagePart = {
  build: ({ d, edgeTypeCount, key }) => {
    const msg = createTypedLinear({ types: edgeTypeCount, in: 2 * d, out: d, key: key.child('msg') });
    return {
      modules: { msg },
      message: ({ sender, receiver }, { h }) => typed(msg, sender(h), receiver(h).plus(sender(h).times(-1))),
    };
  },
};

/** A(ã, m) = σ(w) ⊙ ã·m + (1 − σ(w)) ⊙ c: a channel without attention has a value of its own. */
const mixedActing: ActingPart = {
  build: ({ width }) => {
    const mixed = { w: parameter(ones([width])), c: parameter(ones([width])) };
    return {
      modules: { mixed },
      act: (flow, message) => {
        const share = sigmoid(mixed.w);
        return flow
          .times(message)
          .times(share)
          .plus(mul(sub(1, share), mixed.c));
      },
    };
  },
};

/** A(ã, m) = tanh(ã·w) ⊙ m */
const gatedActing: ActingPart = {
  build: ({ width }) => {
    const gate = { w: parameter(ones([width])) };
    return { modules: { gate }, act: (flow, message) => flow.times(gate.w).map(tanh).times(message) };
  },
};

const definitions: readonly ModelDefinition[] = [
  defineRegularNetwork({ name: 'EdgeConv', message: edgeConvMessage, update: gruUpdate }),
  defineExplicitFlow({ name: 'EdgeConv-NoAct', message: edgeConvMessage, update: gruUpdate }),
  defineExplicitFlow({
    name: 'EdgeConv-Mixed',
    message: edgeConvMessage,
    update: gruUpdate,
    acting: mixedActing,
  }),
  defineExplicitFlow({ name: 'GGNN-Mixed', message: ggnnMessage, update: gruUpdate, acting: mixedActing }),
  defineExplicitFlow({ name: 'GGNN-Gated', message: ggnnMessage, update: gruUpdate, acting: gatedActing }),
  defineExplicitFlow({ name: 'GAT-Gated', message: gatMessage, update: gruUpdate, acting: gatedActing }),
];

describe.each(definitions)('$name, of parts of a user’s own', (definition) => {
  const gradients = async (model: Model, planner: Planner): Promise<Map<string, ArrayLike<number>>> => {
    const plan = planner.plan({ sources: [0, 3, 4], destinations: [2, 6, 4], lossOnly: true });
    const named = parameters(model);
    const { grads } = valueAndGrad(() => model.loss(plan), [...named.values()]);
    const read = [...named].map(async ([name, p]) => [name, await grads.get(p)!.data()] as const);
    planner.dispose();
    return new Map(await Promise.all(read));
  };

  it('trains alike on the dense and on the cone plan', async () => {
    const heads = definition.options.includes('heads') ? { heads: 2 } : {};
    const channels = definition.options.includes('attentionChannels') ? { attentionChannels: 2 } : {};
    const { nodeCount, edgeTypeCount } = smallWorld;
    const model = createModel(definition, {
      nodeCount,
      edgeTypeCount,
      key: randomKey(2),
      d: 4,
      ...channels,
      ...heads,
    });
    const options = { steps: 4, kind: model.kind };
    const dense = await gradients(model, createDensePlanner(smallWorld, options));
    const cone = await gradients(model, createConePlanner(smallWorld, options));
    for (const [name, expected] of dense) {
      expect(relativeError(cone.get(name)!, expected), name).toBeLessThan(1e-10);
      expect(Math.max(...Array.from(expected, Math.abs)), name).toBeGreaterThan(0);
    }
  });
});
