import { createLinear } from '@flowgrad/nn';
import { add, attendedSum, matmul, mul, reshape, tanh } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { multiplied } from './acting.ts';
import type { ActingPart } from './acting.ts';

/** A(ã, m) = tanh((ã·m) W + b), one layer for all edge types, heads and steps; A(0, m) = tanh(b). */
export const mulMlpActing: ActingPart = {
  build: ({ width, key }) => {
    const attend = createLinear({ in: width, out: width, key: key.child('attend') });
    const project = (x: Tensor): Tensor => {
      const rows = x.shape.slice(0, -1).reduce((product, extent) => product * extent, 1);
      return reshape(matmul(reshape(x, [rows, width]), attend.w), x.shape);
    };
    return {
      modules: { attend },
      project,
      act: (flow, messages) => tanh(add(multiplied(flow, messages), attend.b!)),
      total: (flow, { values, index, weights }, { into, unattended }) => {
        const [rows, ...shape] = values.shape;
        const d = shape.reduce((product, extent) => product * extent, 1);
        return attendedSum(reshape(values, [rows, d]), {
          weights: weights ? mul(weights, reshape(flow, [flow.shape[0], 1])) : flow,
          bias: attend.b!,
          from: index,
          into,
          ...(unattended && { unattended }),
        });
      },
    };
  },
};
