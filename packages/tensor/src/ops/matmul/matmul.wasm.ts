/** The launcher of matmul: chooses between B in place and packed, and between shares of rows and of columns. */
import type { WasmDevice, WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { broadcastStrides, sizeOf } from '../../core/shape.ts';
import { mergeAxes } from '../../backends/wasm/strides.ts';

/** Packing B costs about 8 / rows of the product: it pays from here on. */
const rowsWorthPacking = 128;
/** Fewer strips of 4 rows than this are divided by columns instead. */
const stripsToDivide = 16;

interface Product {
  readonly a: number;
  readonly b: number;
  readonly y: number;
  readonly n: number;
  readonly k: number;
  readonly m: number;
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

export const matmulWasm = {
  matmul: ({ inputs: [a, b], outputs: [y], attrs: { transposeA, transposeB } }, device) => {
    const n = y.shape.at(-2)!;
    const m = y.shape.at(-1)!;
    const k = a.shape.at(transposeA ? -2 : -1)!;
    const one = { n, k, m, transposeA, transposeB };
    const [pa, pb, py] = [a.buffer.pointer, b.buffer.pointer, y.buffer.pointer];
    if (y.shape.length === 2) {
      multiply({ ...one, a: pa, b: pb, y: py }, device);
      return;
    }
    const batch = y.shape.slice(0, -2);
    // Many matrices beside one: their rows are the rows of one tall matrix.
    if (!transposeA && sizeOf(b.shape.slice(0, -2)) === 1) {
      multiply({ ...one, n: sizeOf(batch) * n, a: pa, b: pb, y: py }, device);
      return;
    }
    const strides = [a, b].map(({ shape }) => broadcastStrides(shape.slice(0, -2), batch));
    forEachBatch(mergeAxes(batch, strides), (i, atA, atB) => {
      multiply({ ...one, a: pa + atA * n * k * 4, b: pb + atB * k * m * 4, y: py + i * n * m * 4 }, device);
    });
  },
} satisfies Partial<WasmKernelTable>;

function forEachBatch(
  axes: ReturnType<typeof mergeAxes>,
  visit: (i: number, atA: number, atB: number) => void,
): void {
  const count = axes.reduce((product, { extent }) => product * extent, 1);
  for (let i = 0; i < count; i++) {
    let [rest, atA, atB] = [i, 0, 0];
    for (const { extent, strides } of axes.toReversed()) {
      atA += (rest % extent) * strides[0];
      atB += (rest % extent) * strides[1];
      rest = Math.floor(rest / extent);
    }
    visit(i, atA, atB);
  }
}

function multiply(product: Product, device: WasmDevice): void {
  const { b, n, k, m, transposeB } = product;
  if (!transposeB && n < rowsWorthPacking) {
    multiplyWith(product, b, 0, device);
    return;
  }
  const panels = Math.ceil(m / 8);
  device.scratch(panels * 8 * k, (packed) => {
    device.launch('matmulPack', panels, k * m, b, k, m, Number(transposeB), packed);
    multiplyWith(product, packed, 1, device);
  });
}

function multiplyWith(product: Product, b: number, packed: 0 | 1, device: WasmDevice): void {
  const { a, y, n, k, m, transposeA } = product;
  const strips = Math.ceil(n / 4);
  const byColumns = strips < stripsToDivide && m > 8 * strips;
  device.launch(
    transposeA ? 'matmulColumns' : 'matmulRows',
    byColumns ? Math.ceil(m / 8) : strips,
    (n * m * (k + 1)) / 4,
    a,
    b,
    packed,
    y,
    n,
    k,
    m,
    Number(byColumns),
  );
}
