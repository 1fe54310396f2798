import type { PlanStep } from '@flowgrad/graph';
import { createTypedLinear } from '@flowgrad/nn';
import { gatherSum, linear, reshape } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { spread } from './message-function.ts';
import type { MessagePart, MessageRows, PreparedMessages, StepStates } from './message-function.ts';
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
      const rows = ({ senders }: StepStates, { messages }: PlanStep): MessageRows => ({
        values: typed(senders),
        index: messages!.typedSenders,
      });
      return {
        rows,
        perEdge: (states, step) => spread(rows(states, step)),
        total: ({ senders }, { messages }) =>
          gatherSum(typed(senders), messages!.typedSenders, messages!.into),
      } satisfies PreparedMessages;
    };
    return { modules: { msg }, prepare };
  },
};
