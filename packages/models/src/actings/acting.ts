/** How flowing attention acts on messages: m̃_ij = A(ã_ij, m_ij), where A(0, m) must not depend on m. */
import type { PlanMessages } from '@flowgrad/graph';
import type { Module } from '@flowgrad/nn';
import { mul, reshape } from '@flowgrad/tensor';
import type { RandomKey, Tensor } from '@flowgrad/tensor';
import { weighted } from '../messages/message-function.ts';
import type { EdgeMessages, MessageRows, Projection } from '../messages/message-function.ts';

/** A(ã, m): how the flowing attention ã of an edge acts on its message m. */
export interface Acting {
  readonly modules: Readonly<Record<string, Module>>;
  /**
   * A linear map that messages are given through before `act` sees them. As ã·m·W = ã·(m·W), message functions that
   * are linear fold it into their own weights, and no product per edge remains.
   */
  readonly project?: Projection;
  /** ã [messages] and messages [messages, …, width] → acted messages of the same shape. */
  act(this: void, flow: Tensor, messages: EdgeMessages): Tensor;
  /** What `act` makes of messages, summed by receiver: [rows at t + 1, d]. Where it can be had without a tensor of messages. */
  total?(this: void, flow: Tensor, messages: MessageRows, plan: PlanMessages): Tensor;
}

/** A kind of acting, to make models of. `width` is that of a message, or of each head's. */
export interface ActingPart {
  build(this: void, context: { readonly width: number; readonly key: RandomKey }): Acting;
}

/** ã_ij · m_ij. Weights of messages are scalars like ã, so the two are multiplied first. */
export function multiplied(flow: Tensor, { values, weights }: EdgeMessages): Tensor {
  const perEdge = reshape(flow, [flow.shape[0], 1]);
  if (!weights) {
    const ones = values.shape.slice(1).map(() => 1);
    return mul(values, reshape(flow, [flow.shape[0], ...ones]));
  }
  return weighted({ values, weights: mul(weights, perEdge) });
}
