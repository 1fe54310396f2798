import type { WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { sizeOf } from '../../core/shape.ts';
import type { AdamRowsAttrs } from './adam-rows.op.ts';

/**
 * After so many steps without a gradient or decay the rest of them together moves p by less than its rounding: m falls
 * as β₁ᵏ, √v as √β₂ᵏ. The kernel goes no further, and only takes m and v to where they end.
 */
function stepsThatMove({ beta1, beta2 }: AdamRowsAttrs): number {
  const ratio = beta1 / Math.sqrt(beta2);
  return ratio < 1 ? Math.ceil(Math.log(2 ** -26 * (1 - ratio)) / Math.log(ratio)) : 2 ** 31 - 1;
}

export const adamRowsWasm = {
  adamRows: ({ p, m, v, g, index, missed, rates }, _outputs, device, attrs) => {
    const { beta1, beta2, epsilon, decay } = attrs;
    const row = sizeOf(p.shape.slice(1));
    const [steps] = rates.shape;
    device.launch('adamRows', index.length, index.length * (row + 4) * 4 * steps, {
      p: p.buffer.pointer,
      m: m.buffer.pointer,
      v: v.buffer.pointer,
      g: g?.buffer.pointer ?? 0,
      ids: index.ids.buffer.pointer,
      missed: missed.buffer.pointer,
      rates: rates.buffer.pointer,
      steps,
      row,
      beta1,
      rest1: 1 - beta1,
      beta2,
      rest2: 1 - beta2,
      epsilon,
      decay,
      moving: stepsThatMove(attrs),
    });
  },
} satisfies Partial<WasmKernelTable>;
