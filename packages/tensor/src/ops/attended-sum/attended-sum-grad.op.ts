/** The gradients of attendedSum: per message, and of its bias. */
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';

/**
 * s_k = dout[into k] ⊙ (1 − tanh²(w_k·v[from k] + b)),   dw_k = s_k·v[from k], for each head.
 * dout is [n, heads · width], s [messages, heads · width], dw like w.
 */
export const attendedSumGradOp = defineOp({
  name: 'attendedSumGrad',
  operands: {
    dout: 'tensor',
    values: 'tensor',
    weights: 'tensor',
    bias: 'tensor',
    from: 'rows',
    into: 'rows',
  },
  outputs: { slopes: 'tensor', dweights: 'tensor' },
  infer: ({ values, weights }) => ({
    slopes: { dtype: 'float32', shape: [weights.shape[0], values.shape[1]] },
    dweights: { dtype: 'float32', shape: weights.shape },
  }),
  reference: 'beside',
});

export const attendedSumGradReference: ReferenceOf<typeof attendedSumGradOp> = (
  { dout, values, weights, bias, from, into },
  { slopes, dweights },
) => {
  const [row, width] = [values.shape[1], bias.shape[0]];
  const heads = row / width;
  dweights.data.forEach((_, i) => {
    const [k, head] = [Math.floor(i / heads), i % heads];
    let total = 0;
    for (let c = 0; c < width; c++) {
      const column = head * width + c;
      const value = values.data[from.ids.data[k] * row + column];
      const acted = Math.tanh(weights.data[i] * value + bias.data[c]);
      const slope = dout.data[into.ids.data[k] * row + column] * (1 - acted * acted);
      slopes.data[k * row + column] = slope;
      total += slope * value;
    }
    dweights.data[i] = total;
  });
};

const rowsPerSlice = 64;
const mostSlices = 64;

/** How the sums over messages and over rows are cut: by their numbers alone, so that they are the same everywhere. */
export function slicesOfMessages(messages: number, rows: number) {
  const slices = Math.max(1, Math.min(mostSlices, Math.ceil(Math.max(messages, rows) / rowsPerSlice)));
  return { slices, messages: Math.ceil(messages / slices), rows: Math.ceil(rows / slices) };
}

/**
 * db[p] = Σ_k s_k + Σ_r unattended[r]·dout[r] ⊙ (1 − tanh² b) over slice p of the messages and of the rows, and all heads:
 * partial sums [slices, width], which the tape adds up.
 */
export const attendedBiasGradOp = defineOp({
  name: 'attendedBiasGrad',
  operands: { slopes: 'tensor', dout: 'tensor', bias: 'tensor', unattended: 'tensor?' },
  outputs: { out: 'tensor' },
  infer: ({ slopes, dout, bias }) => ({
    out: {
      dtype: 'float32',
      shape: [slicesOfMessages(slopes.shape[0], dout.shape[0]).slices, bias.shape[0]],
    },
  }),
  reference: 'beside',
});

export const attendedBiasGradReference: ReferenceOf<typeof attendedBiasGradOp> = (
  { slopes, dout, bias, unattended },
  { out },
) => {
  const [row, width] = [dout.shape[1], bias.shape[0]];
  const [messages, rows] = [slopes.shape[0], dout.shape[0]];
  const depth = slicesOfMessages(messages, rows);
  out.data.forEach((_, i) => {
    const [slice, c] = [Math.floor(i / width), i % width];
    let total = 0;
    let silent = 0;
    for (let column = c; column < row; column += width) {
      for (let k = slice * depth.messages; k < Math.min((slice + 1) * depth.messages, messages); k++) {
        total += slopes.data[k * row + column];
      }
      for (let r = slice * depth.rows; unattended && r < Math.min((slice + 1) * depth.rows, rows); r++) {
        silent += unattended.data[r] * dout.data[r * row + column];
      }
    }
    out.data[i] = total + silent * (1 - Math.tanh(bias.data[c]) ** 2);
  });
};
