import { createGruCell } from '@flowgrad/nn';
import type { NodeUpdatePart } from './node-update.ts';

/** h' = GRU(h, [m̄ : u]) */
export const gruUpdate: NodeUpdatePart = {
  build: ({ d, key }) => {
    const gru = createGruCell({ in: 2 * d, d, key: key.child('gru') });
    return {
      modules: { gru },
      apply: ({ states, messages, inputs }) => gru.apply([messages!, inputs], states),
    };
  },
};
