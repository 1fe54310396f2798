import { add, mul } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { NodeInputs } from '../parts/node-inputs.ts';

/** loss + weightDecay · ½‖U‖² */
export function withDecay(loss: Tensor, inputs: NodeInputs, weightDecay: number): Tensor {
  const decay = weightDecay === 0 ? undefined : inputs.decay();
  return decay ? add(loss, mul(weightDecay, decay)) : loss;
}
