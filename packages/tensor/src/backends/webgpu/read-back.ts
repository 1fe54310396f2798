/// <reference types="@webgpu/types" />
/** Values on their way to the host: copied at the time of the call, mapped when the device gets there. */
import type { DataArray } from '../../core/dtype.ts';
import { DeviceLostError, TensorError } from '../../core/errors.ts';
import { sizeClass } from './buffer-pool.ts';
import type { CommandStream } from './command-stream.ts';
import type { Failures } from './failures.ts';
import { usage } from './gpu-buffer.ts';
import type { GpuBuffer } from './gpu-buffer.ts';

export class ReadBack {
  readonly #device: GPUDevice;
  readonly #stream: CommandStream;
  readonly #failures: Failures;
  /** Unmapped buffers by size, for the next reads. */
  readonly #waiting = new Map<number, GPUBuffer[]>();

  constructor(device: GPUDevice, stream: CommandStream, failures: Failures) {
    this.#device = device;
    this.#stream = stream;
    this.#failures = failures;
  }

  async read({ dtype, length, memory }: GpuBuffer): Promise<DataArray> {
    const bytes = length * 4;
    const size = sizeClass(bytes);
    const staging = this.#waiting.get(size)?.pop() ?? this.#make(size);
    this.#stream.copyOut(memory, staging, bytes);
    this.#stream.flush();
    await this.map(staging, bytes);
    const copy = staging.getMappedRange(0, bytes).slice(0);
    staging.unmap();
    const list = this.#waiting.get(size);
    if (list) list.push(staging);
    else this.#waiting.set(size, [staging]);
    return dtype === 'float32' ? new Float32Array(copy) : new Int32Array(copy);
  }

  /** Waits until `staging` can be read; raises what went wrong on the way. */
  async map(staging: GPUBuffer, bytes: number): Promise<void> {
    try {
      await Promise.race([staging.mapAsync(1, 0, bytes), this.#failures.loss]);
    } catch (error) {
      await this.#failures.settled();
      const { name, message } = error as Error;
      if (name === 'AbortError') throw new DeviceLostError(message);
      throw new TensorError('read', 'kernel', message);
    }
    await this.#failures.settled();
  }

  #make(size: number): GPUBuffer {
    this.#device.pushErrorScope('out-of-memory');
    const staging = this.#device.createBuffer({ size, usage: usage.mapRead | usage.copyTarget });
    this.#failures.watch(this.#device.popErrorScope(), () => 'read');
    return staging;
  }

  close(): void {
    for (const list of this.#waiting.values()) for (const staging of list) staging.destroy();
    this.#waiting.clear();
  }
}
