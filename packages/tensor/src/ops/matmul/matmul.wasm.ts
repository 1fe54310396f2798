/** The launcher of matmul: chooses between B in place and packed, and between shares of rows and of columns. */
import type { RowsToMake, WasmDevice, WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { broadcastStrides, sizeOf } from '../../core/shape.ts';
import { mergeAxes } from '../../backends/wasm/strides.ts';
import { withPanels } from '../linear/linear.wasm.ts';

/** Packing B costs about 8 / rows of the product: it pays from here on. */
const rowsWorthPacking = 128;
/** Fewer strips of 4 rows than this are divided by columns instead. */
const stripsToDivide = 16;

/** Without the pointers: to spread all into one object took longer than to multiply 32 × 32. */
interface Sizes {
  readonly n: number;
  readonly k: number;
  readonly m: number;
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

export const matmulWasm = {
  matmul: ({ a, b }, { y }, device, { transposeA, transposeB }) => {
    const { shape } = y;
    const rank = shape.length;
    const n = shape[rank - 2];
    const m = shape[rank - 1];
    const k = a.shape[a.shape.length - (transposeA ? 2 : 1)];
    const sizes = { n, k, m, transposeA, transposeB };
    const [pa, pb, py] = [a.buffer.pointer, b.buffer.pointer, y.buffer.pointer];
    if (rank === 2 && !transposeA && n >= rowsWorthPacking) {
      device.leave(y.buffer, rowsOf(sizes, pa, pb, py, device));
      return;
    }
    if (rank === 2) {
      multiply(sizes, pa, pb, py, device);
      return;
    }
    const batch = shape.slice(0, -2);
    // Many matrices beside one: their rows are the rows of one tall matrix.
    if (!transposeA && sizeOf(b.shape.slice(0, -2)) === 1) {
      multiply({ ...sizes, n: sizeOf(batch) * n }, pa, pb, py, device);
      return;
    }
    const strides = [a, b].map((side) => broadcastStrides(side.shape.slice(0, -2), batch));
    forEachBatch(mergeAxes(batch, strides), (i, atA, atB) => {
      multiply(sizes, pa + atA * n * k * 4, pb + atB * k * m * 4, py + i * n * m * 4, device);
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

/** The rows of Y = A·B, for whoever reads them. */
function rowsOf(sizes: Sizes, a: number, b: number, y: number, device: WasmDevice): RowsToMake {
  const { n: count, k, m, transposeB } = sizes;
  const make: RowsToMake['make'] = (fn) => {
    withPanels(device, { pointer: b, k, m, transposed: transposeB }, (panels) => {
      fn((first, last) => {
        const rows = { ...sizes, n: last - first };
        multiplyWith(rows, a + 4 * first * k, panels, 1, y + 4 * first * m, device);
      });
    });
  };
  return { count, make };
}

/** Y = A·B for one pair of matrices, by their pointers. */
function multiply(sizes: Sizes, a: number, b: number, y: number, device: WasmDevice): void {
  const { n, k, m, transposeB } = sizes;
  if (!transposeB && n < rowsWorthPacking) {
    multiplyWith(sizes, a, b, 0, y, device);
    return;
  }
  withPanels(device, { pointer: b, k, m, transposed: transposeB }, (packed) => {
    multiplyWith(sizes, a, packed, 1, y, device);
  });
}

function multiplyWith(
  { n, k, m, transposeA }: Sizes,
  a: number,
  b: number,
  packed: 0 | 1,
  y: number,
  device: WasmDevice,
): void {
  const strips = Math.ceil(n / 4);
  const byColumns = strips < stripsToDivide && m > 8 * strips;
  const units = byColumns ? Math.ceil(m / 8) : strips;
  device.launch(transposeA ? 'matmulColumns' : 'matmulRows', units, (n * m * (k + 1)) / 4, {
    x: a,
    b,
    packed,
    y,
    n,
    k,
    m,
    byColumns: Number(byColumns),
  });
}
