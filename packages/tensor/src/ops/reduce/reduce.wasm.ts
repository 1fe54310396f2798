/** Launchers of sum, max and argmax. */
import type { WasmDevice, WasmKernel, WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { collapse } from './collapse.ts';
import type { Collapsed } from './collapse.ts';
import type { maxOp } from './max.op.ts';
import type { sumOp } from './sum.op.ts';

type Reduction = 'sum' | 'sumInt' | 'max' | 'maxInt';

/** Values in a block: depends on the shape alone, so that sums are formed alike on any number of threads. */
const blockValues = 16384;
const blockValuesOfRows = 4096;

function reduceInto(
  kernel: Reduction,
  x: number,
  y: number,
  { outer, n, inner }: Collapsed,
  device: WasmDevice,
): void {
  const block = inner === 1 ? blockValuesOfRows : Math.max(16, Math.floor(blockValues / inner));
  const blocks = Math.ceil(n / block);
  const reduce = (to: number): void => {
    const work = outer * n * inner;
    const units = outer * blocks;
    if (inner === 1) device.launch(`${kernel}Rows`, units, work, { x, y: to, n, block, blocks });
    else device.launch(`${kernel}Columns`, units, work, { x, y: to, n, inner, block, blocks });
  };
  if (blocks === 1) {
    reduce(y);
    return;
  }
  device.scratch(outer * blocks * inner, (partial) => {
    reduce(partial);
    reduceInto(kernel, partial, y, { outer, n: blocks, inner }, device);
  });
}

const reduction =
  (floats: Reduction, ints: Reduction): WasmKernel<typeof sumOp | typeof maxOp> =>
  ({ x }, { y }, device, { axes }) => {
    const collapsed = collapse(x.shape, axes);
    if (collapsed.n === 0) {
      // Only sums get here: the sum of nothing is 0.
      const { pointer, length } = y.buffer;
      device.launch('fillInt', Math.ceil(length / 16), length, { y: pointer, value: 0 });
      return;
    }
    const kernel = x.dtype === 'float32' ? floats : ints;
    reduceInto(kernel, x.buffer.pointer, y.buffer.pointer, collapsed, device);
  };

export const reduceWasm = {
  sum: reduction('sum', 'sumInt'),
  max: reduction('max', 'maxInt'),
  argmax: ({ x }, { y }, device, { axes }) => {
    const { outer, n, inner } = collapse(x.shape, axes);
    const work = outer * n * inner;
    const [from, to] = [x.buffer.pointer, y.buffer.pointer];
    if (x.dtype === 'int32') device.launch('argmaxInt', outer * inner, work, { x: from, y: to, n, inner });
    else if (inner === 1) device.launch('argmaxRows', outer, work, { x: from, y: to, n });
    else device.launch('argmaxColumns', outer * inner, work, { x: from, y: to, n, inner });
  },
} satisfies Partial<WasmKernelTable>;
