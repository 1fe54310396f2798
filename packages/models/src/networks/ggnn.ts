/** Gated graph networks (Li et al., 2016), as the paper uses them. */
import { typed } from '@flowgrad/graph';
import { createGruCell, createTypedLinear } from '@flowgrad/nn';
import { TensorError } from '@flowgrad/tensor';
import { networkMessages } from '../model/options.ts';
import type { MessagePart, NodeUpdatePart } from './network-parts.ts';

/** m_ij = W_type h_i + b_type */
export const ggnnMessage: MessagePart = {
  options: networkMessages.GGNN,
  build: ({ d, edgeTypeCount, key }) => {
    const msg = createTypedLinear({ types: edgeTypeCount, in: d, out: d, key: key.child('msg') });
    return { modules: { msg }, message: ({ sender }, { h }) => typed(msg, sender(h)) };
  },
};

/** h' = GRU(h, [m̄ : u]) */
export const gruUpdate: NodeUpdatePart = {
  build: ({ d, key, hasMessages }) => {
    if (!hasMessages) {
      throw new TensorError(
        'gruUpdate',
        'option',
        'expected a model with messages, got one without (give it a message part)',
      );
    }
    const gru = createGruCell({ in: 2 * d, d, key: key.child('gru') });
    return { modules: { gru }, update: ({ h, m, u }) => gru.apply([m!, u], h) };
  },
};
