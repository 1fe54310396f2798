/// <reference types="@webgpu/types" />
/**
 * Commands on their way to the queue. Many dispatches share one encoder and one pass; they are submitted when values
 * are read, or when the batch is full.
 */
import type { Failures, Trial } from './failures.ts';
import type { Memory } from './gpu-buffer.ts';
import type { UniformRing } from './uniform-ring.ts';

/** So many dispatches and copies keep the device busy while the next batch is encoded. */
const commandsPerBatch = 256;

export interface Command {
  readonly pipeline: GPUComputePipeline;
  readonly group: GPUBindGroup;
  readonly paramsOffset: number;
  readonly workgroups: readonly [x: number, y: number];
}

/** Told of commands as they are encoded; may ask for the times at which each begins and ends. */
export interface CommandObserver {
  /** Where to write the times of the next dispatch, if they can be taken. */
  timestampWrites(): GPUComputePassTimestampWrites | undefined;
  /** Called after the last dispatch of a batch, before it is submitted. */
  beforeSubmit(encoder: GPUCommandEncoder): void;
}

export class CommandStream {
  readonly #device: GPUDevice;
  readonly #failures: Failures;
  readonly #ring: UniformRing;
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;
  #commands = 0;
  #batch = 0;
  #submissions = 0;
  observer: CommandObserver | undefined;

  constructor(device: GPUDevice, failures: Failures, ring: UniformRing) {
    this.#device = device;
    this.#failures = failures;
    this.#ring = ring;
  }

  get submissions(): number {
    return this.#submissions;
  }

  /** Whether commands not yet submitted use this memory. */
  isPending(memory: Memory): boolean {
    return memory.lastBatch === this.#batch;
  }

  dispatch({ pipeline, group, paramsOffset, workgroups }: Command, memories: readonly Memory[]): void {
    if (this.observer) this.#endPass();
    const timestampWrites = this.observer?.timestampWrites();
    this.#pass ??= this.#open().beginComputePass(timestampWrites && { timestampWrites });
    this.#pass.setPipeline(pipeline);
    this.#pass.setBindGroup(0, group, [paramsOffset]);
    this.#pass.dispatchWorkgroups(...workgroups);
    this.#enqueued(memories);
  }

  /** After everything enqueued so far, and before everything later. */
  copy(from: Memory, to: Memory, bytes: number): void {
    this.copyOut(from, to.gpu, bytes);
    this.#enqueued([to]);
  }

  /** Copies what is in `memory` now, after everything enqueued so far, into `target`. */
  copyOut(memory: Memory, target: GPUBuffer, bytes: number): void {
    this.#endPass();
    this.#open().copyBufferToBuffer(memory.gpu, 0, target, 0, bytes);
    memory.lastBatch = this.#batch;
  }

  /** Uploads after everything enqueued so far that uses `memory`, and before everything later. */
  copyIn(memory: Memory, values: Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>): void {
    if (this.isPending(memory)) this.flush();
    this.#device.queue.writeBuffer(memory.gpu, 0, values);
  }

  /** Submits what has been enqueued; if it is the first use of a user's kernel, what is wrong with it is that kernel's. */
  flush(trial?: Trial): void {
    const encoder = this.#encoder;
    if (!encoder) return;
    this.#endPass();
    this.observer?.beforeSubmit(encoder);
    this.#ring.upload();
    this.#device.queue.submit([encoder.finish()]);
    for (let scope = 0; scope < 2; scope++) {
      if (trial) this.#failures.watchTrial(trial, this.#device.popErrorScope());
      else this.#failures.watch(this.#device.popErrorScope(), () => undefined);
    }
    this.#encoder = undefined;
    this.#commands = 0;
    this.#batch += 1;
    this.#submissions += 1;
  }

  /** Drops what was not submitted. */
  close(): void {
    this.#pass = undefined;
    this.#encoder = undefined;
  }

  #open(): GPUCommandEncoder {
    if (this.#encoder) return this.#encoder;
    this.#device.pushErrorScope('out-of-memory');
    this.#device.pushErrorScope('validation');
    return (this.#encoder = this.#device.createCommandEncoder());
  }

  #enqueued(memories: readonly Memory[]): void {
    for (const memory of memories) memory.lastBatch = this.#batch;
    this.#commands += 1;
    if (this.#commands >= commandsPerBatch || this.#ring.isFull) this.flush();
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = undefined;
  }
}
