import { createLinear } from '@flowgrad/nn';
import { concat, tanh } from '@flowgrad/tensor';
import type { NodeUpdatePart } from './node-update.ts';

/** h' = tanh(W [h : m̄ : u : g] + b), without m̄ or g in models that have none. */
export const tanhUpdate: NodeUpdatePart = {
  build: ({ d, key, hasMessages, hasGlobal }) => {
    const parts = 2 + Number(hasMessages) + Number(hasGlobal);
    const node = createLinear({ in: parts * d, out: d, key: key.child('node') });
    return {
      modules: { node },
      apply: ({ states, messages, inputs, global }) => {
        const given = [states, messages, inputs, global].filter((part) => part !== undefined);
        return tanh(node.apply(concat(given, 1)));
      },
    };
  },
};
