/** Launchers of linear and its gradient, and what other launchers of products are made of. */
import type { WasmDevice, WasmKernelTable, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';
import { slicesOfRows } from './linear.op.ts';

/** Pointer and width of each. */
export const tableOf = (parts: readonly WasmTensor[]): number[] =>
  parts.flatMap(({ buffer, shape }) => [buffer.pointer, shape[1]]);

/** Runs `fn` with B [k, m] packed into panels, given as it is or, transposed, as [m, k] at `pointer`. */
export function withPanels(
  device: WasmDevice,
  { pointer, k, m, transposed }: { pointer: number; k: number; m: number; transposed: boolean },
  fn: (panels: number) => void,
): void {
  const panels = Math.ceil(m / 8);
  device.scratch(panels * 8 * k, (packed) => {
    device.launch('matmulPack', panels, k * m, {
      b: pointer,
      k,
      m,
      transposed: Number(transposed),
      panels: packed,
    });
    fn(packed);
  });
}

/** Runs `fn` with a weight packed as it is. */
export function withPacked(device: WasmDevice, weight: WasmTensor, fn: (panels: number) => void): void {
  const [k, m] = weight.shape;
  withPanels(device, { pointer: weight.buffer.pointer, k, m, transposed: false }, fn);
}

/** [parts] = dy·Wᵀ, or += that; parts are pointers with their widths. */
export function multiplyBack(
  device: WasmDevice,
  parts: readonly { readonly pointer: number; readonly width: number }[],
  { dy, weight, adds }: { dy: WasmTensor; weight: WasmTensor; adds: boolean },
): void {
  const [n, k] = dy.shape;
  let first = weight.buffer.pointer;
  for (const { pointer: y, width: m } of parts) {
    withPanels(device, { pointer: first, k, m, transposed: true }, (packed) => {
      const work = (n * m * (k + 1)) / 4;
      const [units, x] = [Math.ceil(n / 4), dy.buffer.pointer];
      if (adds) device.launch('linearRowsAdd', units, work, { x, b: packed, y, n, k, m });
      else device.launch('matmulRows', units, work, { x, b: packed, packed: 1, y, n, k, m, byColumns: 0 });
    });
    first += 4 * m * k;
  }
}

export const linearWasm = {
  linear: ({ x, weight, bias }, { y }, device) => {
    const [k, m] = weight.shape;
    device.leave(y.buffer, {
      count: y.shape[0],
      make: (fn) => {
        withPacked(device, weight, (b) => {
          fn((first, last) => {
            const n = last - first;
            device.launch('linearRows', Math.ceil(n / 4), (n * m * (k + 1)) / 4, {
              parts: device.table([x.buffer.pointer + 4 * first * k, k]),
              b,
              bias: bias.buffer.pointer,
              y: y.buffer.pointer + 4 * first * m,
              n,
              k,
              m,
            });
          });
        });
      },
    });
  },
  linearWeightGrad: ({ xs, dy }, { dweight, dbias }, device) => {
    const [n, m] = dy.shape;
    const k = dweight.shape[1];
    const { slices, depth } = slicesOfRows(n);
    device.launch('linearWeightGrad', slices, (n * m * (k + 1)) / 4, {
      parts: device.table(tableOf(xs)),
      count: xs.length,
      dy: dy.buffer.pointer,
      dw: dweight.buffer.pointer,
      db: dbias.buffer.pointer,
      n,
      depth,
      k,
      m,
    });
  },
} satisfies Partial<WasmKernelTable>;
