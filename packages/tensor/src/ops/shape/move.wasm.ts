/** Launchers of the ops that only move values. */
import { mergeAxes, tableOf } from '../../backends/wasm/strides.ts';
import type { WalkAxis } from '../../backends/wasm/strides.ts';
import type { WasmDevice, WasmKernelTable } from '../../backends/wasm/wasm-kernel.ts';
import { broadcastStrides, sizeOf, stridesOf } from '../../core/shape.ts';
import type { Shape } from '../../core/shape.ts';

interface Place {
  readonly pointer: number;
  readonly strides: readonly number[];
}

/** Values in a row when there is one long one. */
const rowLength = 1024;

/** y[i…] = x[i…] for all i in `shape`, each with its own strides. */
function move(shape: Shape, x: Place, y: Place, device: WasmDevice): void {
  const axes = mergeAxes(shape, [x.strides, y.strides]);
  if (moveTransposed(axes, x.pointer, y.pointer, device)) return;
  const inner = axes.at(-1)?.strides[1] === 1 ? axes.pop()! : { extent: 1, strides: [1, 1] };
  const [step] = inner.strides;
  if (axes.length === 0) {
    const rows = Math.floor(inner.extent / rowLength);
    const rest = inner.extent % rowLength;
    const done = rows * rowLength * 4;
    if (rows > 0) {
      moveRows([{ extent: rows, strides: [step * rowLength, rowLength] }], rowLength, 0, 0);
    }
    if (rest > 0) moveRows([], rest, done * step, done);
    return;
  }
  moveRows(axes, inner.extent, 0, 0);

  function moveRows(outer: readonly WalkAxis[], n: number, fromX: number, fromY: number): void {
    const rows = outer.reduce((product, { extent }) => product * extent, 1);
    device.launch('moveRows', rows, rows * n, {
      x: x.pointer + fromX,
      y: y.pointer + fromY,
      n,
      step,
      axes: outer.length,
      table: device.table(tableOf(outer)),
    });
  }
}

/** Where y runs along one axis and x along another, blocks are transposed in registers. */
function moveTransposed(axes: readonly WalkAxis[], x: number, y: number, device: WasmDevice): boolean {
  const row = axes.find(({ strides, extent }) => strides[1] === 1 && strides[0] > 1 && extent >= 4);
  const column = axes.find(({ strides, extent }) => strides[0] === 1 && strides[1] > 1 && extent >= 4);
  if (!row || !column) return false;
  const outer = axes.filter((axis) => axis !== row && axis !== column);
  const matrices = outer.reduce((product, { extent }) => product * extent, 1);
  const units = matrices * Math.ceil(column.extent / 4);
  device.launch('moveTransposed', units, matrices * row.extent * column.extent, {
    x,
    y,
    n: column.extent,
    m: row.extent,
    strideX: row.strides[0],
    strideY: column.strides[1],
    axes: outer.length,
    table: device.table(tableOf(outer)),
  });
  return true;
}

/** Where the element at `index` stands, in bytes. */
function offsetOf(index: Shape, strides: readonly number[]): number {
  return 4 * index.reduce((offset, i, axis) => offset + i * strides[axis], 0);
}

export const moveWasm = {
  permute: ({ x }, { y }, device, { axes }) => {
    const own = stridesOf(x.shape);
    const strides = axes.map((axis) => own[axis]);
    const to = { pointer: y.buffer.pointer, strides: stridesOf(y.shape) };
    move(y.shape, { pointer: x.buffer.pointer, strides }, to, device);
  },
  broadcastTo: ({ x }, { y }, device) => {
    const from = { pointer: x.buffer.pointer, strides: broadcastStrides(x.shape, y.shape) };
    move(y.shape, from, { pointer: y.buffer.pointer, strides: stridesOf(y.shape) }, device);
  },
  slice: ({ x }, { y }, device, { starts }) => {
    const strides = stridesOf(x.shape);
    const from = { pointer: x.buffer.pointer + offsetOf(starts, strides), strides };
    move(y.shape, from, { pointer: y.buffer.pointer, strides: stridesOf(y.shape) }, device);
  },
  pad: ({ x }, { y }, device, { padding, value }) => {
    const strides = stridesOf(y.shape);
    const units = Math.ceil(y.buffer.length / 16);
    device.launch(y.dtype === 'float32' ? 'fill' : 'fillInt', units, units * 8, {
      y: y.buffer.pointer,
      value,
    });
    if (x.buffer.length === 0) return;
    const before = padding.map(([count]) => count);
    const to = { pointer: y.buffer.pointer + offsetOf(before, strides), strides };
    move(x.shape, { pointer: x.buffer.pointer, strides: stridesOf(x.shape) }, to, device);
  },
  concat: ({ xs }, { y }, device, { axis }) => {
    const strides = stridesOf(y.shape);
    const slab = sizeOf(y.shape.slice(axis + 1));
    let start = 0;
    for (const x of xs) {
      const to = { pointer: y.buffer.pointer + start * slab * 4, strides };
      start += x.shape[axis];
      if (x.buffer.length === 0) continue;
      move(x.shape, { pointer: x.buffer.pointer, strides: stridesOf(x.shape) }, to, device);
    }
  },
} satisfies Partial<WasmKernelTable>;
