import type { PlanFan } from '@flowgrad/graph';
import { createTypedLinear } from '@flowgrad/nn';
import { edgeDot, reshape, segmentSoftmax } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { BuildContext } from './build-context.ts';

/**
 * τ_ij = w_type · [h_i : h_j : h_i ⊙ h_j] + b_type,   T_ij = softmax of τ_ij over the outgoing edges of i
 */
export function createTransition({ d, edgeTypeCount, key }: Omit<BuildContext, 'heads'>) {
  const trans = createTypedLinear({ types: edgeTypeCount, in: 3 * d, out: 1, key: key.child('trans') });
  /** [fan edges]: T for every edge that leaves a sender. */
  const apply = (senderStates: Tensor, rowStates: Tensor, fan: PlanFan): Tensor => {
    const { senders, receivers, types } = fan;
    const weight = reshape(trans.w, [edgeTypeCount, 3 * d]);
    const bias = reshape(trans.b!, [edgeTypeCount]);
    return segmentSoftmax(
      edgeDot(senderStates, rowStates, { senders, receivers, types, weight, bias }),
      senders,
    );
  };
  return { modules: { trans }, apply };
}
