/** One WebAssembly memory: its allocator, and views of it that are made anew whenever it has grown. */
import { Allocator } from './allocator.ts';
import { pageBytes, webAssembly } from './web-assembly.ts';
import type { WasmMemory } from './web-assembly.ts';

/** Small tables that go with one launch (extents and strides) stand here; the kernels' own constants lie below. */
const tableStart = 16384;
const heapStart = 65536;
/** Never handed out: kernels may read up to a vector tile past the end of a buffer. */
const margin = 256;
/** Grown by at least this, so that small tensors do not grow it one by one. */
const growthStep = 16 * 2 ** 20;

export class LinearMemory {
  readonly memory: WasmMemory;
  readonly allocator: Allocator;
  readonly #maximumPages: number;
  #buffer: ArrayBuffer | SharedArrayBuffer;
  #floats: Float32Array;
  #ints: Int32Array;

  constructor(options: { readonly shared: boolean; readonly maximumPages: number }) {
    this.#maximumPages = options.maximumPages;
    const initial = Math.min(options.maximumPages, 2);
    this.memory = new webAssembly.Memory({ initial, maximum: options.maximumPages, shared: options.shared });
    this.#buffer = this.memory.buffer;
    this.#floats = new Float32Array(this.#buffer);
    this.#ints = new Int32Array(this.#buffer);
    this.allocator = new Allocator({
      start: heapStart,
      limit: options.maximumPages * pageBytes - margin,
      grow: (end) => this.#grow(end),
    });
  }

  floats(pointer: number, length: number): Float32Array {
    this.#refresh();
    return this.#floats.subarray(pointer / 4, pointer / 4 + length);
  }

  ints(pointer: number, length: number): Int32Array {
    this.#refresh();
    return this.#ints.subarray(pointer / 4, pointer / 4 + length);
  }

  /** Writes a table for the next launch; it holds until the next table is written. */
  table(values: readonly number[]): number {
    this.#refresh();
    if (values.length > (heapStart - tableStart) / 4) {
      throw new RangeError(
        `table: expected at most ${heapStart - tableStart} bytes, got ${values.length * 4}`,
      );
    }
    for (let i = 0; i < values.length; i++) this.#ints[tableStart / 4 + i] = values[i];
    return tableStart;
  }

  /** Growing leaves old views behind: detached, or too short if the memory is shared. */
  #refresh(): void {
    if (this.memory.buffer === this.#buffer) return;
    this.#buffer = this.memory.buffer;
    this.#floats = new Float32Array(this.#buffer);
    this.#ints = new Int32Array(this.#buffer);
  }

  #grow(end: number): number {
    const current = this.memory.buffer.byteLength / pageBytes;
    const needed = Math.ceil((end + margin) / pageBytes);
    for (const wanted of [Math.min(needed + growthStep / pageBytes, this.#maximumPages), needed]) {
      if (wanted <= current) break;
      try {
        this.memory.grow(wanted - current);
        break;
      } catch {
        // The system has no more; perhaps it has just what is needed.
      }
    }
    return this.memory.buffer.byteLength - margin;
  }
}
