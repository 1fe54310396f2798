/** Launchers of attendedSum and its gradients. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { slicesOfMessages } from './attended-sum-grad.op.ts';

export const attendedSumWasm = {
  attendedSum: ({ inputs, outputs: [out], attrs: { into } }, device) => {
    const [row, width] = [inputs[0].shape[1], inputs[2].shape[0]];
    const [v, w, b, from, offsets, order, unattended = 0] = inputs.map(({ buffer }) => buffer.pointer);
    const [to, heads] = [out.buffer.pointer, row / width];
    const work = (into.length + into.rows) * (row + 4) * 7;
    device.launch(
      'attendedSum',
      into.rows,
      work,
      v,
      w,
      b,
      from,
      offsets,
      order,
      unattended,
      to,
      heads,
      width,
    );
  },
  attendedSumGrad: ({ inputs, outputs: [slopes, dweights] }, device) => {
    const [messages, row] = slopes.shape;
    const width = inputs[3].shape[0];
    const [dout, v, w, b, from, into] = inputs.map(({ buffer }) => buffer.pointer);
    const [toSlopes, toWeights] = [slopes, dweights].map(({ buffer }) => buffer.pointer);
    const [work, heads] = [messages * (row + 4) * 8, row / width];
    device.launch(
      'attendedSumGrad',
      messages,
      work,
      dout,
      v,
      w,
      b,
      from,
      into,
      toSlopes,
      toWeights,
      heads,
      width,
    );
  },
  attendedBiasGrad: ({ inputs, outputs: [out] }, device) => {
    const [[messages, row], [rows]] = [inputs[0].shape, inputs[1].shape];
    const width = out.shape[1];
    const [slopes, dout, b, unattended = 0] = inputs.map(({ buffer }) => buffer.pointer);
    const depth = slicesOfMessages(messages, rows);
    const [to, heads] = [out.buffer.pointer, row / width];
    device.launch(
      'attendedBiasGrad',
      depth.slices,
      (messages + rows) * row,
      slopes,
      dout,
      b,
      unattended,
      to,
      messages,
      rows,
      depth.messages,
      depth.rows,
      heads,
      width,
    );
  },
} satisfies Partial<WasmKernelTable>;
