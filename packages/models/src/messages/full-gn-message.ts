import { createTypedLinear } from '@flowgrad/nn';
import { add, gather, matmul, reshape, split, tanh } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { MessagePart, PreparedMessages } from './message-function.ts';
import { besideEachOther } from './typed-weight.ts';

/** m_ij = tanh(W_type [h_i : h_j : g] + b_type), as the sum of a product on senders, one on receivers, and one on g. */
export const fullGnMessage: MessagePart = {
  reads: 'ends',
  build: ({ d, edgeTypeCount, key }) => {
    const msg = createTypedLinear({ types: edgeTypeCount, in: 3 * d, out: d, key: key.child('msg') });
    const prepare = (project = (x: Tensor): Tensor => x): PreparedMessages => {
      const [ofSender, ofReceiver, ofGlobal] = split(msg.w, 3, 1).map(besideEachOther);
      const bias = reshape(msg.b!, [edgeTypeCount * d]);
      const slices = (product: Tensor): Tensor => reshape(product, [product.shape[0] * edgeTypeCount, d]);
      return {
        perEdge: ({ rows, senders, global }, { messages }) => {
          const { typedSenders, typedReceivers, typedExamples } = messages!;
          const fromSender = gather(slices(matmul(senders, ofSender)), typedSenders);
          const fromReceiver = gather(slices(matmul(rows, ofReceiver)), typedReceivers!);
          const fromGlobal = gather(slices(add(matmul(global!, ofGlobal), bias)), typedExamples!);
          return { values: project(tanh(add(add(fromSender, fromReceiver), fromGlobal))) };
        },
      };
    };
    return { modules: { msg }, prepare };
  },
};
