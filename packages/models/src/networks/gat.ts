/** Graph attention networks (Veličković et al., 2018), as the paper uses them. */
import { derived, softmaxOut, typed } from '@flowgrad/graph';
import { initialisers } from '@flowgrad/nn';
import type { Initialiser } from '@flowgrad/nn';
import { leakyRelu, matmul, parameter, reshape, scope, slice, stack } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { networkMessages } from '../model/options.ts';
import type { MessagePart } from './network-parts.ts';

const leaky = (x: Tensor): Tensor => leakyRelu(x, 0.2);

/** Glorot uniform for each head by itself, over its stack of edge types. */
const perHead: Initialiser = (key, [heads, ...stacked]) =>
  stack(Array.from({ length: heads }, (_, head) => initialisers.glorotUniform()(key.child(head), stacked)));

/**
 * m^k_ij = α^k_ij W^k_type h_i,   α^k_ij = softmax_j(LeakyReLU(a^k_type · [W^k_type h_i : W^k_type h_j]))
 *
 * for each head k, the softmax over the outgoing edges of i. With a = [a¹ : a²] the logits are
 * (W a¹)·h_i + (W a²)·h_j.
 */
export const gatMessage: MessagePart = {
  options: networkMessages.GAT,
  build: ({ d, edgeTypeCount, heads, key }) => {
    const width = d / heads;
    const start = (name: string, shape: readonly number[]): Tensor =>
      scope(() => parameter(perHead(key.child('msg').child(name), shape)));
    const msg = {
      w: start('w', [heads, edgeTypeCount, d, width]),
      a: start('a', [heads, edgeTypeCount, 2 * width, 1]),
    };
    /** [types, d, heads, out] of what has the heads first. */
    const axes = [1, 2, 0, 3];
    const value = { w: derived([edgeTypeCount, d, heads, width], () => msg.w, { axes }) };
    /** W a¹ and W a²: [types, d, heads] */
    const [ofSender, ofReceiver] = [0, 1].map((half) => ({
      w: derived(
        [edgeTypeCount, d, heads],
        () => {
          const a = slice(msg.a, [0, 0, half * width, 0], [heads, edgeTypeCount, (half + 1) * width, 1]);
          return reshape(matmul(msg.w, a), [heads, edgeTypeCount, d]);
        },
        { axes: axes.slice(0, 3) },
      ),
    }));
    return {
      modules: { msg },
      width,
      message: ({ sender, receiver }, { h }) => {
        const logits = typed(ofSender, sender(h)).plus(typed(ofReceiver, receiver(h)));
        return softmaxOut(logits.map(leaky)).times(typed(value, sender(h)));
      },
    };
  },
};
