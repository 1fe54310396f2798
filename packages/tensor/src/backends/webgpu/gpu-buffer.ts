/// <reference types="@webgpu/types" />
/** Device memory as the WebGPU backend sees it. */
import type { DeviceBuffer } from '../../core/backend.ts';
import type { Trial } from './failures.ts';

/** GPUBufferUsage: in browsers a global, in Node not. */
export const usage = {
  mapRead: 0x1,
  copySource: 0x4,
  copyTarget: 0x8,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
};

/** A GPUBuffer of the pool, lent to one tensor after another. */
export interface Memory {
  readonly id: number;
  readonly gpu: GPUBuffer;
  readonly bytes: number;
  /** The last batch of commands that uses it: what is uploaded must not overtake them. */
  lastBatch: number;
  /** First uses of users' kernels that its values came from, as long as one may be refused. */
  trials?: readonly Trial[] | undefined;
}

/** A tensor's memory. */
export interface GpuBuffer extends DeviceBuffer {
  readonly memory: Memory;
}
