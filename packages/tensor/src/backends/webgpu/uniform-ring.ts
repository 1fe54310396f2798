/// <reference types="@webgpu/types" />
/**
 * Parameters of kernel calls in one buffer, a slot each, reached by dynamic offsets. The slots of a batch are uploaded
 * in one piece just before its commands are submitted; the next batch starts over at slot 0, since the queue orders
 * that upload after the commands that read the old values.
 */
import { TensorError } from '../../core/errors.ts';
import type { Shader, ShaderParams } from '../../core/shader.ts';
import { usage } from './gpu-buffer.ts';

/** What dynamic offsets must be multiples of on every device. */
export const slotBytes = 256;

export class UniformRing {
  readonly buffer: GPUBuffer;
  readonly #device: GPUDevice;
  readonly #slots: number;
  readonly #u32: Uint32Array<ArrayBuffer>;
  readonly #i32: Int32Array;
  readonly #f32: Float32Array;
  #used = 0;

  constructor(device: GPUDevice, slots: number) {
    this.#device = device;
    this.#slots = slots;
    const bytes = slots * slotBytes;
    this.buffer = device.createBuffer({
      label: 'params',
      size: bytes,
      usage: usage.uniform | usage.copyTarget,
    });
    const staging = new ArrayBuffer(bytes);
    this.#u32 = new Uint32Array(staging);
    this.#i32 = new Int32Array(staging);
    this.#f32 = new Float32Array(staging);
  }

  get isFull(): boolean {
    return this.#used === this.#slots;
  }

  /** Writes parameters into the next slot; returns its offset in bytes. What a list is too short for is 0. */
  add<Params extends ShaderParams>(shader: Shader<string, Params>, params: Params): number {
    const offset = this.#nextSlot();
    for (const { name, type, offset: at, count } of shader.params) {
      const value = params[name];
      const target = type === 'f32' ? this.#f32 : type === 'i32' ? this.#i32 : this.#u32;
      const first = (offset + at) / 4;
      if (typeof value === 'number') target[first] = value;
      else if (value.length <= count) target.set(value, first);
      else {
        throw new TensorError(
          shader.name,
          'limit',
          `expected at most ${count} values in ${name}, got ${value.length}`,
        );
      }
    }
    return offset;
  }

  upload(): void {
    if (this.#used === 0) return;
    this.#device.queue.writeBuffer(this.buffer, 0, this.#u32, 0, (this.#used * slotBytes) / 4);
    this.#used = 0;
  }

  /** Of zeros: no call sees what an earlier one left. */
  #nextSlot(): number {
    const offset = this.#used * slotBytes;
    this.#used += 1;
    this.#u32.fill(0, offset / 4, (offset + slotBytes) / 4);
    return offset;
  }
}
