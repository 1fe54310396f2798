import { add, mul, rejectUnknownOptions } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { NodeInputs } from '../parts/node-inputs.ts';
import type { LossOptions } from './model.ts';

/** loss + rate · ½‖U‖², the last term unless it is left out */
export function withDecay(loss: Tensor, inputs: NodeInputs, rate: number, options: LossOptions = {}): Tensor {
  rejectUnknownOptions('loss', options, ['weightDecay']);
  const { weightDecay = true } = options;
  const decay = weightDecay && rate > 0 ? inputs.squaredNorm() : undefined;
  return decay ? add(loss, mul(rate / 2, decay)) : loss;
}
