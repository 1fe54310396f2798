import { createTypedLinear } from '@flowgrad/nn';
import { gather, gatherSum, linear, reshape } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { MessagePart } from './message-function.ts';
import { besideEachOther } from './typed-weight.ts';

/** m_ij = W_type h_i + b_type */
export const ggnnMessage: MessagePart = {
  reads: 'sender',
  build: ({ d, edgeTypeCount, key }) => {
    const msg = createTypedLinear({ types: edgeTypeCount, in: d, out: d, key: key.child('msg') });
    const prepare = (project = (x: Tensor): Tensor => x) => {
      const weight = besideEachOther(project(msg.w));
      const bias = reshape(project(msg.b!), [edgeTypeCount * d]);
      /** [senders · types, d]: what each sender would send along an edge of each type. */
      const typed = (senders: Tensor): Tensor =>
        reshape(linear(senders, weight, bias), [senders.shape[0] * edgeTypeCount, d]);
      return {
        perEdge: ({ senders }, { messages }) => ({ values: gather(typed(senders), messages!.typedSenders) }),
        total: ({ senders }, { messages }) =>
          gatherSum(typed(senders), messages!.typedSenders, messages!.into),
      } satisfies ReturnType<ReturnType<MessagePart['build']>['prepare']>;
    };
    return { modules: { msg }, prepare };
  },
};
