/** How flowing attention acts on messages: m̃_ij = A(ã_ij, m_ij). */
import { createLinear } from '@flowgrad/nn';
import { tanh } from '@flowgrad/tensor';
import type { ActingPart } from './network-parts.ts';

/** A(ã, m) = ã·m */
export const mulActing: ActingPart = {
  build: () => ({ modules: {}, act: (flow, message) => flow.times(message) }),
};

/** A(ã, m) = tanh((ã·m) W + b), one layer for all edge types, heads and steps; A(0, m) = tanh(b). */
export const mulMlpActing: ActingPart = {
  build: ({ width, key }) => {
    const attend = createLinear({ in: width, out: width, key: key.child('attend') });
    return { modules: { attend }, act: (flow, message) => flow.times(message).linear(attend).map(tanh) };
  },
};
