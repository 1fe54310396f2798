/** Launchers of attendedSum and its gradients. */
import type { WasmDevice, WasmKernelTable, WasmRows, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';
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

/** Values that each thread makes before they are read: half of what the cache of its core holds. */
const valuesAtOnce = 2 ** 17;

interface Sums {
  readonly values: WasmTensor;
  readonly from: WasmRows;
  readonly into: WasmRows;
}

/** Where the sums are cut: the rows before `row` read only values before `value`. */
function cutsOf(device: WasmDevice, { values, from, into }: Sums): { value: number; row: number }[] {
  const most = (valuesAtOnce * device.threads) / values.shape[1];
  const cuts: { value: number; row: number }[] = [];
  device.scratch(into.rows, (reach) => {
    device.launch('attendedReach', into.rows, into.length + into.rows, {
      from: from.ids.buffer.pointer,
      offsets: into.offsets.buffer.pointer,
      order: into.order.buffer.pointer,
      reach,
    });
    const reaches = device.ints(reach, into.rows);
    let [made, value] = [0, 0];
    for (let row = 0; row < into.rows; row++) {
      const next = Math.max(value, reaches[row]);
      if (next - made > most && value > made) {
        cuts.push({ value, row });
        made = value;
      }
      value = next;
    }
  });
  return [...cuts, { value: values.shape[0], row: into.rows }];
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
      if (!left) {
        sumInto(0, into.rows);
        return;
      }
      // Values are read soon after they are made, from the cache.
      const cuts = cutsOf(device, operands);
      left.make((make) => {
        let [made, summed] = [0, 0];
        for (const { value, row: last } of cuts) {
          const needed = Math.ceil((value * left.count) / values.shape[0]);
          make(made, needed);
          sumInto(summed, last);
          [made, summed] = [needed, last];
        }
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
