/** What a caller has of the WebGPU backend. */
import type { Backend } from '../../core/backend.ts';
import type { WebGpuLimits } from './limits.ts';
import type { Profile } from './profile.ts';

/** What the adapter says of itself. */
export interface AdapterDescription {
  /** For people: "SwiftShader driver 5.0.0 (google, swiftshader)". */
  readonly name: string;
  /** Whether the CPU does the work. */
  readonly isSoftware: boolean;
}

/** What has been done since the backend was opened, and what it holds. */
export interface WebGpuCounters {
  readonly dispatches: number;
  /** Command buffers submitted: few, if dispatches share them. */
  readonly submissions: number;
  readonly reads: number;
  readonly pipelines: number;
  readonly bindGroups: number;
  /** Buffers of the pool, in use or waiting for reuse. */
  readonly buffers: number;
  readonly bytes: number;
}

/** The backend that runs on a GPU: what all backends do, and what only this one can say of itself. */
export interface WebGpuBackend extends Backend {
  readonly name: 'webgpu';
  readonly adapter: AdapterDescription;
  readonly limits: WebGpuLimits;
  counters(): WebGpuCounters;
  /**
   * Compiles, without blocking, every kernel that `step` needs, and tells how often it would dispatch one. Its ops are
   * inferred and allocated but not run: their results must not be read, and parameters stay as they are.
   */
  warmUp(step: () => void): Promise<{ readonly dispatches: number }>;
  /** Runs `step` and tells what its kernels cost; with times if the device has `timestamp-query`. */
  profile(step: () => void | Promise<void>): Promise<Profile>;
  /** Frees the device. Pending reads reject with DeviceLostError. Safe to call twice. */
  close(): Promise<void>;
}
