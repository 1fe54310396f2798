import type { PlanStep } from '@flowgrad/graph';
import { initialisers } from '@flowgrad/nn';
import type { Initialiser } from '@flowgrad/nn';
import {
  add,
  gather,
  leakyRelu,
  matmul,
  parameter,
  permute,
  reshape,
  scope,
  segmentSoftmax,
  split,
  stack,
  TensorError,
} from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { spread } from './message-function.ts';
import type { MessagePart, MessageRows, PreparedMessages, StepStates } from './message-function.ts';

const slope = 0.2;

/** Glorot uniform for each head by itself, over its stack of edge types. */
const perHead: Initialiser = (key, [heads, ...stacked]) =>
  stack(Array.from({ length: heads }, (_, head) => initialisers.glorotUniform()(key.child(head), stacked)));

/**
 * m^k_ij = α^k_ij W^k_type h_i,   α^k_ij = softmax_j(LeakyReLU(a^k_type · [W^k_type h_i : W^k_type h_j]))
 *
 * for each head k, the softmax over the outgoing edges of i. No [edges, 2d/heads] tensor is needed for the logits:
 * with a = [a¹ : a²] they are (W a¹)·h_i + (W a²)·h_j, scalars per (row, type, head).
 */
export const gatMessage: MessagePart = {
  reads: 'siblings',
  hasHeads: true,
  build: ({ d, edgeTypeCount, heads, key }) => {
    if (d % heads !== 0) {
      throw new TensorError(
        'gatMessage',
        'option',
        `expected heads that divide d evenly, got ${heads} for ${d}`,
      );
    }
    const width = d / heads;
    const start = (name: string, shape: readonly number[]): Tensor =>
      scope(() => parameter(perHead(key.child('msg').child(name), shape)));
    const msg = {
      w: start('w', [heads, edgeTypeCount, d, width]),
      a: start('a', [heads, edgeTypeCount, 2 * width, 1]),
    };
    const prepare = (project = (x: Tensor): Tensor => x): PreparedMessages => {
      /** [heads, types, d, out] → [d, types · heads · out] */
      const laidOut = (weight: Tensor): Tensor =>
        reshape(permute(weight, [2, 1, 0, 3]), [d, edgeTypeCount * heads * weight.shape[3]]);
      const [ofSender, ofReceiver] = split(msg.a, 2, 2).map((half) => laidOut(matmul(msg.w, half)));
      const valueWeight = laidOut(project(msg.w));
      const slices = (product: Tensor, out: number): Tensor =>
        reshape(product, [product.shape[0] * edgeTypeCount, heads, out]);
      const messageRows = ({ rows, senders }: StepStates, { fan, messages }: PlanStep): MessageRows => {
        const logit = (states: Tensor, weight: Tensor): Tensor =>
          reshape(matmul(states, weight), [states.shape[0] * edgeTypeCount, heads]);
        const logits = add(
          gather(logit(senders, ofSender), fan!.typedSenders!),
          gather(logit(rows, ofReceiver), fan!.typedReceivers!),
        );
        const alpha = segmentSoftmax(leakyRelu(logits, slope), fan!.senders);
        const { fanEdges, typedSenders } = messages!;
        return {
          values: slices(matmul(senders, valueWeight), width),
          index: typedSenders,
          weights: fanEdges ? gather(alpha, fanEdges) : alpha,
        };
      };
      return { rows: messageRows, perEdge: (states, step) => spread(messageRows(states, step)) };
    };
    return { modules: { msg }, prepare };
  },
};
