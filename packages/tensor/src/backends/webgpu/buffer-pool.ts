/// <reference types="@webgpu/types" />
/**
 * Device memory in size classes. A freed buffer is lent again at once: the queue runs commands in order, so what was
 * enqueued before the free is done with it by the time anything later touches it.
 */
import { TensorError } from '../../core/errors.ts';
import type { Failures } from './failures.ts';
import { usage } from './gpu-buffer.ts';
import type { Memory } from './gpu-buffer.ts';
import type { WebGpuLimits } from './limits.ts';

/** Also the room for "no values": WebGPU has no empty bindings. */
const smallest = 256;

/** The next of 1, 1.25, 1.5, 1.75 times a power of two: at most a quarter is wasted. */
export function sizeClass(bytes: number): number {
  if (bytes <= smallest) return smallest;
  const step = 2 ** (Math.floor(Math.log2(bytes - 1)) - 2);
  return Math.ceil(bytes / step) * step;
}

/** Who must let go of memory before it is destroyed. */
export interface PoolUsers {
  /** Submits commands that still refer to freed memory. */
  release(): void;
  forget(memory: Memory): void;
}

export class BufferPool {
  readonly #device: GPUDevice;
  readonly #limits: WebGpuLimits;
  readonly #failures: Failures;
  readonly #users: PoolUsers;
  readonly #free = new Map<number, Memory[]>();
  #nextId = 1;
  #bytes = 0;
  #count = 0;

  constructor(device: GPUDevice, limits: WebGpuLimits, failures: Failures, users: PoolUsers) {
    this.#device = device;
    this.#limits = limits;
    this.#failures = failures;
    this.#users = users;
  }

  /** All buffers, in use or waiting. */
  get size(): { readonly buffers: number; readonly bytes: number } {
    return { buffers: this.#count, bytes: this.#bytes };
  }

  take(bytes: number, op: string): Memory {
    const { maxBufferSize, maxMemory } = this.#limits;
    if (bytes > maxBufferSize) {
      throw new TensorError(
        op,
        'limit',
        `expected at most ${maxBufferSize} bytes in one tensor (maxBufferSize), got ${bytes}`,
      );
    }
    const size = Math.min(sizeClass(bytes), Math.floor(maxBufferSize / 16) * 16);
    const waiting = this.#free.get(size)?.pop();
    if (waiting) return waiting;
    if (this.#bytes + size > maxMemory) this.trim();
    if (this.#bytes + size > maxMemory) {
      throw new TensorError(
        op,
        'memory',
        `expected at most ${maxMemory} bytes altogether (maxMemory), got ${size} on top of ${this.#bytes} in use`,
      );
    }
    return this.#make(size, op);
  }

  /**
   * Lists are kept from the newest buffer to the oldest, and the oldest is lent first: a step that repeats itself then
   * gets the same buffers again, whatever order it freed them in, and finds its bind groups in the cache.
   */
  give(memory: Memory): void {
    const list = this.#free.get(memory.bytes);
    if (!list) {
      this.#free.set(memory.bytes, [memory]);
      return;
    }
    let place = list.length;
    while (place > 0 && list[place - 1].id < memory.id) place -= 1;
    list.splice(place, 0, memory);
  }

  /** Destroys what waits for reuse. */
  trim(): void {
    this.#users.release();
    for (const list of this.#free.values()) for (const memory of list) this.#destroy(memory);
    this.#free.clear();
  }

  /** Forgets all buffers: the device destroyed them when it was closed. */
  close(): void {
    this.#free.clear();
    this.#bytes = 0;
    this.#count = 0;
  }

  #make(bytes: number, op: string): Memory {
    this.#device.pushErrorScope('out-of-memory');
    const gpu = this.#device.createBuffer({
      size: bytes,
      usage: usage.storage | usage.copySource | usage.copyTarget,
    });
    this.#failures.watch(this.#device.popErrorScope(), () => op);
    const memory: Memory = { id: this.#nextId++, gpu, bytes, lastBatch: -1 };
    this.#bytes += bytes;
    this.#count += 1;
    return memory;
  }

  #destroy(memory: Memory): void {
    this.#users.forget(memory);
    memory.gpu.destroy();
    this.#bytes -= memory.bytes;
    this.#count -= 1;
  }
}
