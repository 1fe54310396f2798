/** What callers of openDevice give and get, in types that need no DOM. */
import type { WebGpuLimits } from './limits.ts';
import type { DeviceHandle } from './runtime.ts';
import type { AdapterDescription } from './webgpu-backend.ts';

/** Which GPU device to open. */
export interface OpenDeviceOptions {
  /** A GPU, the CPU playing one, or whichever is there, in this order. */
  readonly adapter?: 'auto' | 'hardware' | 'software';
  readonly powerPreference?: 'low-power' | 'high-performance';
  /** Lower limits than the adapter has. */
  readonly limits?: Partial<WebGpuLimits>;
}

/** A device, and what its adapter says of itself. */
export interface OpenedDevice {
  /** A GPUDevice. */
  readonly device: DeviceHandle;
  readonly adapter: AdapterDescription;
}
