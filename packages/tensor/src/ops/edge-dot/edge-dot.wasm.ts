/** Launchers of edgeDot and its gradients. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { addBlocks, withBlocks } from '../segment/segment-blocks.wasm.ts';

/** Edges whose contributions to a type's weight one unit adds up. */
const edgesPerBlock = 1024;

export const edgeDotWasm = {
  edgeDot: ({ x, y, weight, bias, senders, receivers, types }, { out }, device) => {
    const d = x.shape[1];
    const edges = out.buffer.length;
    device.launch('edgeDot', edges, edges * (d + 8) * 2, {
      x: x.buffer.pointer,
      y: y.buffer.pointer,
      weight: weight.buffer.pointer,
      bias: bias.buffer.pointer,
      senders: senders.ids.buffer.pointer,
      receivers: receivers.ids.buffer.pointer,
      types: types.ids.buffer.pointer,
      out: out.buffer.pointer,
      d,
    });
  },
  edgeDotRowsGrad: ({ g, other, weight, near, far, types }, { out }, device, { side }) => {
    const [rows, d] = out.shape;
    device.launch('edgeDotRowsGrad', rows, (near.length + rows) * (d + 8) * 2, {
      g: g.buffer.pointer,
      other: other.buffer.pointer,
      weight: weight.buffer.pointer,
      far: far.ids.buffer.pointer,
      types: types.ids.buffer.pointer,
      offsets: near.offsets.buffer.pointer,
      order: near.order.buffer.pointer,
      out: out.buffer.pointer,
      d,
      part: side === 'senders' ? 0 : d,
    });
  },
  edgeDotWeightGrad: ({ g, x, y, senders, receivers, types }, { out }, device) => {
    const row = out.shape[1];
    const order = types.order.buffer.pointer;
    withBlocks(types, edgesPerBlock, device, (blocks) => {
      device.scratch(blocks.count * row, (partial) => {
        device.launch('edgeDotWeightGrad', blocks.count, types.length * (row + 8), {
          blocks: blocks.table,
          g: g.buffer.pointer,
          x: x.buffer.pointer,
          y: y.buffer.pointer,
          senders: senders.ids.buffer.pointer,
          receivers: receivers.ids.buffer.pointer,
          order,
          partial,
          d: row / 3,
        });
        addBlocks(blocks, types.rows, { partial, y: out.buffer.pointer, row }, device);
      });
    });
  },
} satisfies Partial<WasmKernelTable>;
