/** attendedSum: messages that attention acts on, summed by receiver, without a tensor of messages. */
import { rejectUnknownOptions } from '../../core/errors.ts';
import { expectAsMany, expectDType, expectIndexInto, expectShape } from '../../core/expect.ts';
import { partialSums } from '../../core/gradient.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { mul } from '../elementwise/binary.op.ts';
import { tanh } from '../elementwise/unary.op.ts';
import { sum } from '../reduce/sum.op.ts';
import { reshape } from '../shape/reshape.op.ts';
import { weightedSum } from '../weighted-sum/weighted-sum.op.ts';
import { attendedBiasGradOp, attendedSumGradOp } from './attended-sum-grad.op.ts';

/** Which messages there are, and what attention makes of them. */
export interface AttendedSumOptions {
  /** Message → row of the values. */
  readonly from: RowIndex;
  /** Message → row of the result. */
  readonly into: RowIndex;
  /** [messages], or [messages, heads] for rows that are cut into heads. */
  readonly weights: Tensor;
  /** [width of a head]: the same for all heads. */
  readonly bias: Tensor;
  /** [rows of the result, 1]: how many messages of weight 0 each receives beside the others; none unless given. */
  readonly unattended?: Tensor;
}

/**
 * out[r] = Σ_k tanh(w_k·v[from k] + b) + unattended[r]·tanh(b), over the messages k with into k = r. With
 * s_k = dout[into k] ⊙ (1 − tanh²(w_k·v[from k] + b)):
 * dv[i] = Σ w_k·s_k over the k with from k = i,  dw_k = s_k·v[from k],  db = Σ_k s_k + Σ_r unattended[r]·dout[r] ⊙ (1 − tanh² b).
 * v is [rows, heads · width].
 */
export const attendedSumOp = defineOp({
  name: 'attendedSum',
  operands: {
    values: 'tensor',
    weights: 'tensor',
    bias: 'tensor',
    from: 'rows',
    into: 'rows',
    unattended: 'tensor?',
  },
  outputs: { out: 'tensor' },
  infer: ({ values, weights, bias, from, into, unattended }) => {
    for (const [name, tensor] of Object.entries({ values, weights, bias })) {
      expectDType('attendedSum', name, tensor, 'float32');
    }
    expectShape('attendedSum', 'values', values, [-1, -1]);
    expectIndexInto('attendedSum', 'from', from, values);
    expectAsMany('attendedSum', "one 'into' for each 'from'", into.length, from.length);
    const heads = weights.shape.length > 1 ? [weights.shape[1]] : [];
    expectShape('attendedSum', 'weights', weights, [from.length, ...heads]);
    expectShape('attendedSum', 'bias', bias, [values.shape[1] / (heads[0] ?? 1)]);
    if (unattended) expectShape('attendedSum', 'unattended', unattended, [into.rows, 1]);
    return { out: { dtype: 'float32', shape: [into.rows, values.shape[1]] } };
  },
  reference: 'beside',
  saves: ['values', 'weights', 'bias', 'from', 'into', 'unattended'],
  backward: ({ values, weights, bias, from, into, unattended }, { dout: { out: dout } }) => {
    const { slopes, dweights } = attendedSumGradOp.apply({ dout, values, weights, bias, from, into }, {});
    return {
      values: () => weightedSum(weights, slopes, { to: from }),
      weights: dweights,
      bias: () => partialSums(attendedBiasGradOp.apply({ slopes, dout, bias, unattended }, {}).out),
      unattended: () => {
        const [n, row] = dout.shape;
        const width = bias.shape[0];
        return reshape(sum(mul(reshape(dout, [n, row / width, width]), tanh(bias)), [1, 2]), [n, 1]);
      },
    };
  },
});

export const attendedSumReference: ReferenceOf<typeof attendedSumOp> = (
  { values, weights, bias, from, into, unattended },
  { out },
) => {
  const [row, width] = [values.shape[1], bias.shape[0]];
  const { rows, offsets, order } = into;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < row; c++) {
      const [head, b] = [Math.floor(c / width), bias.data[c % width]];
      let total = unattended ? unattended.data[r] * Math.tanh(b) : 0;
      for (let j = offsets.data[r]; j < offsets.data[r + 1]; j++) {
        const k = order.data[j];
        const weight = weights.data[k * (row / width) + head];
        total += Math.tanh(weight * values.data[from.ids.data[k] * row + c] + b);
      }
      out.data[r * row + c] = total;
    }
  }
};

/**
 * Σ tanh(w·v + b) over the messages that each row receives: values [rows, heads · width] → [into.rows, heads ·
 * width].
 *
 * @example
 * const [from, into] = [rowIndex([0, 1], 2), rowIndex([0, 0], 1)];
 * const summed = attendedSum(ones([2, 3]), { from, into, weights: tensor([1, 0]), bias: zeros([3]) });
 */
export function attendedSum(values: Tensor, options: AttendedSumOptions): Tensor {
  rejectUnknownOptions('attendedSum', options, ['weights', 'bias', 'from', 'into', 'unattended']);
  const { weights, bias, from, into, unattended } = options;
  return attendedSumOp.apply({ values, weights, bias, from, into, unattended }, {}).out;
}
