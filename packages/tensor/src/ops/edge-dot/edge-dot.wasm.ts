/** Launchers of edgeDot and its gradients. */
import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { addBlocks, withBlocks } from '../segment/segment-blocks.wasm.ts';

/** Edges whose contributions to a type's weight one unit adds up. */
const edgesPerBlock = 1024;

export const edgeDotWasm = {
  edgeDot: ({ inputs, outputs: [out] }, device) => {
    const d = inputs[0].shape[1];
    const [x, y, weight, bias, senders, receivers, types] = inputs.map(({ buffer }) => buffer.pointer);
    const edges = out.buffer.length;
    const to = out.buffer.pointer;
    device.launch(
      'edgeDot',
      edges,
      edges * (d + 8) * 2,
      x,
      y,
      weight,
      bias,
      senders,
      receivers,
      types,
      to,
      d,
    );
  },
  edgeDotRowsGrad: ({ inputs, outputs: [out], attrs }, device) => {
    const [rows, d] = out.shape;
    const [g, other, weight, far, types, offsets, order] = inputs.map(({ buffer }) => buffer.pointer);
    const work = (attrs[attrs.side].length + rows) * (d + 8) * 2;
    const part = attrs.side === 'senders' ? 0 : d;
    const to = out.buffer.pointer;
    device.launch('edgeDotRowsGrad', rows, work, g, other, weight, far, types, offsets, order, to, d, part);
  },
  edgeDotWeightGrad: ({ inputs, outputs: [out], attrs: { types } }, device) => {
    const [g, x, y, senders, receivers, offsets, order] = inputs.map(({ buffer }) => buffer.pointer);
    const row = out.shape[1];
    const d = row / 3;
    withBlocks(offsets, types.rows, edgesPerBlock, device, (blocks) => {
      device.scratch(blocks.count * row, (partial) => {
        const work = types.length * (row + 8);
        const { count, table } = blocks;
        device.launch(
          'edgeDotWeightGrad',
          count,
          work,
          table,
          g,
          x,
          y,
          senders,
          receivers,
          order,
          partial,
          d,
        );
        addBlocks(blocks, types.rows, partial, out.buffer.pointer, row, device);
      });
    });
  },
} satisfies Partial<WasmKernelTable>;
