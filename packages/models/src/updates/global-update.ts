import { createLinear } from '@flowgrad/nn';
import type { Module } from '@flowgrad/nn';
import { concat, div, mul, reshape, segmentMean, segmentSum, tanh } from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import type { BuildContext } from '../parts/build-context.ts';

export const globalReductions = ['sum', 'mean'] as const;
/** Whether h̄ of models with attention is Σ aᵢhᵢ, or that divided by the number of nodes. */
export type GlobalReduction = (typeof globalReductions)[number];

export interface GlobalInputs {
  /** [examples, d] g before. */
  readonly global: Tensor;
  /** [rows, d] the new states. */
  readonly states: Tensor;
  /** [rows] the new attention, of models that have it; rows that a plan leaves out have none. */
  readonly attention?: Tensor;
  /** [rows, d] m̄ᵢ, of models with messages. */
  readonly messages?: Tensor;
  /** Row → example. */
  readonly examples: RowIndex;
}

export interface GlobalUpdate {
  readonly modules: Readonly<Record<string, Module>>;
  apply(this: void, inputs: GlobalInputs): Tensor;
}

/**
 * g' = tanh(W [g : h̄ : m̄] + b), without m̄ in models that have no messages.
 * h̄ = Σ aᵢhᵢ with attention, else the mean of hᵢ over the nodes; m̄ is the mean of m̄ᵢ.
 */
export function createGlobalUpdate(
  { d, key, nodeCount }: Pick<BuildContext, 'd' | 'key'> & { readonly nodeCount: number },
  options: { readonly hasMessages: boolean; readonly reduction: GlobalReduction },
): GlobalUpdate {
  const { hasMessages, reduction } = options;
  const layer = createLinear({ in: (hasMessages ? 3 : 2) * d, out: d, key: key.child('global') });
  const attended = (states: Tensor, attention: Tensor, examples: RowIndex): Tensor => {
    const total = segmentSum(mul(states, reshape(attention, [attention.shape[0], 1])), examples);
    return reduction === 'sum' ? total : div(total, nodeCount);
  };
  return {
    modules: { global: layer },
    apply: ({ global, states, attention, messages, examples }) => {
      const ofStates = attention ? attended(states, attention, examples) : segmentMean(states, examples);
      const ofMessages = messages ? [segmentMean(messages, examples)] : [];
      return tanh(layer.apply(concat([global, ofStates, ...ofMessages], 1)));
    },
  };
}
