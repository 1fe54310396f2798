/** Full graph networks (Battaglia et al., 2018), as the paper uses them: everything reads everything. */
import { typed } from '@flowgrad/graph';
import type { StateRows } from '@flowgrad/graph';
import { createLinear, createTypedLinear } from '@flowgrad/nn';
import { concat, div, mul, reshape, tanh } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { ResolvedSettings } from '../model/settings.ts';
import { networkMessages } from '../model/options.ts';
import type { MessagePart, NodeUpdatePart, Part } from './network-parts.ts';

/** m_ij = tanh(W_type [h_i : h_j : g] + b_type) */
export const fullGnMessage: MessagePart = {
  options: networkMessages.FullGN,
  build: ({ d, edgeTypeCount, key }) => {
    const msg = createTypedLinear({ types: edgeTypeCount, in: 3 * d, out: d, key: key.child('msg') });
    return {
      modules: { msg },
      message: ({ sender, receiver, example }, { h, g }) =>
        typed(msg, sender(h), receiver(h), example(g!)).map(tanh),
    };
  },
};

/** h' = tanh(W [h : m̄ : u : g] + b), without m̄ or g in models that have none. */
export const tanhUpdate: NodeUpdatePart = {
  build: ({ d, key, hasMessages, hasGlobal }) => {
    const parts = 2 + Number(hasMessages) + Number(hasGlobal);
    const node = createLinear({ in: parts * d, out: d, key: key.child('node') });
    return {
      modules: { node },
      update: ({ h, m, u, g }) => tanh(node.apply([h, m, u, g].filter((part) => part !== undefined))),
    };
  },
};

export interface GlobalUpdate extends Part {
  /** g' of g, the new states h, the new attention a of models that have it, and m̄ of models with messages. */
  update(
    this: void,
    rows: StateRows,
    of: { readonly g: Tensor; readonly h: Tensor; readonly a?: Tensor; readonly m?: Tensor | undefined },
  ): Tensor;
}

/**
 * g' = tanh(W [g : h̄ : m̄] + b), without m̄ in models that have no messages.
 * h̄ = Σ aᵢhᵢ with attention, else the mean of hᵢ over the nodes; m̄ is the mean of m̄ᵢ.
 */
export function createGlobalUpdate(
  { d, key, nodeCount, globalReduction }: ResolvedSettings,
  { hasMessages }: { readonly hasMessages: boolean },
): GlobalUpdate {
  const layer = createLinear({ in: (hasMessages ? 3 : 2) * d, out: d, key: key.child('global') });
  const attended = (rows: StateRows, h: Tensor, a: Tensor): Tensor => {
    const total = rows.sumByExample(mul(h, reshape(a, [a.shape[0], 1])));
    return globalReduction === 'sum' ? total : div(total, nodeCount);
  };
  return {
    modules: { global: layer },
    update: (rows, { g, h, a, m }) => {
      const ofStates = a ? attended(rows, h, a) : rows.meanByExample(h);
      return tanh(layer.apply(concat([g, ofStates, ...(m ? [rows.meanByExample(m)] : [])], 1)));
    },
  };
}
