/** Launchers of attendedSum and its gradients. */
import type { WasmDevice, WasmKernelTable, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';
import { slicesOfMessages } from './attended-sum-grad.op.ts';

/** Runs `fn` with what tanh is near the bias of each column. */
function withCubics(device: WasmDevice, bias: WasmTensor, fn: (cubics: number) => void): void {
  const [width] = bias.shape;
  const units = Math.ceil(width / 4);
  device.scratch(16 * units, (cubics) => {
    device.launch('attendedCubics', units, units, { bias: bias.buffer.pointer, cubics, width });
    fn(cubics);
  });
}

export const attendedSumWasm = {
  attendedSum: ({ values, weights, bias, from, into, unattended }, { out }, device) => {
    const [row, width] = [values.shape[1], bias.shape[0]];
    withCubics(device, bias, (cubics) => {
      device.launch('attendedSum', into.rows, (into.length + into.rows) * (row + 4) * 7, {
        values: values.buffer.pointer,
        weights: weights.buffer.pointer,
        bias: bias.buffer.pointer,
        cubics,
        from: from.ids.buffer.pointer,
        offsets: into.offsets.buffer.pointer,
        order: into.order.buffer.pointer,
        unattended: unattended?.buffer.pointer ?? 0,
        out: out.buffer.pointer,
        heads: row / width,
        width,
      });
    });
  },
  attendedSumGrad: ({ dout, values, weights, bias, from, into }, { slopes, dweights }, device) => {
    const [messages, row] = slopes.shape;
    const width = bias.shape[0];
    withCubics(device, bias, (cubics) => {
      device.launch('attendedSumGrad', messages, messages * (row + 4) * 8, {
        dout: dout.buffer.pointer,
        values: values.buffer.pointer,
        weights: weights.buffer.pointer,
        bias: bias.buffer.pointer,
        cubics,
        from: from.ids.buffer.pointer,
        into: into.ids.buffer.pointer,
        slopes: slopes.buffer.pointer,
        dweights: dweights.buffer.pointer,
        heads: row / width,
        width,
      });
    });
  },
  attendedBiasGrad: ({ slopes, dout, bias, unattended }, { out }, device) => {
    const [[messages, row], [rows]] = [slopes.shape, dout.shape];
    const width = out.shape[1];
    const depth = slicesOfMessages(messages, rows);
    device.launch('attendedBiasGrad', depth.slices, (messages + rows) * row, {
      slopes: slopes.buffer.pointer,
      dout: dout.buffer.pointer,
      bias: bias.buffer.pointer,
      unattended: unattended?.buffer.pointer ?? 0,
      out: out.buffer.pointer,
      messages,
      rows,
      sliceMessages: depth.messages,
      sliceRows: depth.rows,
      heads: row / width,
      width,
    });
  },
} satisfies Partial<WasmKernelTable>;
