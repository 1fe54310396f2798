/** Launchers of attendedSum and its gradients. */
import { sumLeftRows } from '../../backends/wasm/left-rows.ts';
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
  attendedSum: (operands, { out }, device) => {
    const { values, weights, bias, from, into, unattended } = operands;
    const [row, width] = [values.shape[1], bias.shape[0]];
    const left = device.takeOver(values.buffer);
    withCubics(device, bias, (cubics) => {
      const sumInto = (first: number, last: number): void => {
        const share = (last - first) / into.rows;
        device.launch('attendedSum', last - first, share * (into.length + into.rows) * (row + 4) * 7, {
          values: values.buffer.pointer,
          weights: weights.buffer.pointer,
          bias: bias.buffer.pointer,
          cubics,
          from: from.ids.buffer.pointer,
          offsets: into.offsets.buffer.pointer + 4 * first,
          order: into.order.buffer.pointer,
          unattended: unattended ? unattended.buffer.pointer + 4 * first : 0,
          out: out.buffer.pointer + 4 * first * row,
          heads: row / width,
          width,
        });
      };
      if (left) sumLeftRows(device, left, operands, sumInto);
      else sumInto(0, into.rows);
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
