/** Counted ownership of device memory: several tensors (a reshape, a saved value) may share one storage. */
import type { Backend, DeviceBuffer } from './backend.ts';
import { bytesPerElement } from './dtype.ts';
import type { DType } from './dtype.ts';

let liveBuffers = 0;
let liveBytes = 0;

/**
 * Device memory in use: buffers that some tensor still owns, over all backends.
 *
 * @example
 * const before = memory().buffers;
 * scope(() => {
 *   zeros([1000]);
 * });
 * memory().buffers - before; // 0
 */
export function memory(): { readonly buffers: number; readonly bytes: number } {
  return { buffers: liveBuffers, bytes: liveBytes };
}

export class Storage {
  readonly backend: Backend;
  readonly buffer: DeviceBuffer;
  /** Grows with every in-place write, so that a value saved for backward can tell it was overwritten. */
  version = 0;
  lastWriter = '';
  #owners = 1;

  constructor(backend: Backend, dtype: DType, length: number, op?: string) {
    this.backend = backend;
    this.buffer = backend.allocate(dtype, length, op);
    liveBuffers += 1;
    liveBytes += length * bytesPerElement;
  }

  retain(): this {
    this.#owners += 1;
    return this;
  }

  release(): void {
    this.#owners -= 1;
    if (this.#owners > 0) return;
    liveBuffers -= 1;
    liveBytes -= this.buffer.length * bytesPerElement;
    this.backend.free(this.buffer);
  }

  overwrittenBy(writer: string): void {
    this.version += 1;
    this.lastWriter = writer;
  }
}
