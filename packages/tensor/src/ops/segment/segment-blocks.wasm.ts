/**
 * Long segments, cut into blocks of a fixed number of entries: threads share the blocks of one segment, and the
 * blocks' sums are added in order, so that the number of threads changes nothing.
 */
import type { WasmDevice, WasmRows } from '../../backends/wasm/wasm-kernel.ts';

/** Segments longer than this on average are cut. */
const longSegment = 256;

export interface Blocks {
  readonly count: number;
  /** [segment, first entry, last entry + 1] of each block. */
  readonly table: number;
  /** [segments + 1]: where the blocks of each segment begin. */
  readonly offsets: number;
}

/** Runs `fn` with the blocks of at most `length` entries that the rows of an index are made of. */
export function withBlocks(
  { rows: segments, offsets }: WasmRows,
  length: number,
  device: WasmDevice,
  fn: (blocks: Blocks) => void,
): void {
  const bounds = device.ints(offsets.buffer.pointer, segments + 1).slice();
  let count = 0;
  for (let s = 0; s < segments; s++) count += Math.ceil((bounds[s + 1] - bounds[s]) / length);
  device.scratch(3 * count, (table) => {
    device.scratch(segments + 1, (starts) => {
      const blocks = device.ints(table, 3 * count);
      const first = device.ints(starts, segments + 1);
      let block = 0;
      for (let s = 0; s < segments; s++) {
        first[s] = block;
        for (let k = bounds[s]; k < bounds[s + 1]; k += length) {
          blocks[3 * block] = s;
          blocks[3 * block + 1] = k;
          blocks[3 * block + 2] = Math.min(k + length, bounds[s + 1]);
          block += 1;
        }
      }
      first[segments] = block;
      fn({ count, table, offsets: starts });
    });
  });
}

/** Adds rows of `row` values, blocks' partial results, up to one row per segment. */
export function addBlocks(
  { count, offsets }: Blocks,
  segments: number,
  { partial, y, row }: { readonly partial: number; readonly y: number; readonly row: number },
  device: WasmDevice,
): void {
  device.launch('segmentSum', segments, count * row, { x: partial, offsets, y, row });
}

/** Sums over the rows of an index: `launch` sums each of `units` ranges of entries, given by their bounds. */
export function sumSegments(
  index: WasmRows,
  y: number,
  row: number,
  device: WasmDevice,
  launch: (units: number, work: number, offsets: number, to: number) => void,
): void {
  const work = (index.length + index.rows) * (row + 4);
  if (index.length <= index.rows * longSegment) {
    launch(index.rows, work, index.offsets.buffer.pointer, y);
    return;
  }
  withBlocks(index, longSegment, device, (blocks) => {
    device.scratch(blocks.count * row, (partial) => {
      device.scratch(blocks.count + 1, (bounds) => {
        // Blocks lie side by side: each begins where the one before ends.
        const starts = device.ints(bounds, blocks.count + 1);
        const table = device.ints(blocks.table, 3 * blocks.count);
        for (let block = 0; block < blocks.count; block++) starts[block] = table[3 * block + 1];
        starts[blocks.count] = index.length;
        launch(blocks.count, work, bounds, partial);
        addBlocks(blocks, index.rows, { partial, y, row }, device);
      });
    });
  });
}
