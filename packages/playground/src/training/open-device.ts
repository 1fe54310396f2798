/** The device that training runs on: the one asked for, or wasm and why. */
import { TensorError } from '@flowgrad/tensor';
import { openBackend } from '@flowgrad/tensor/browser';
import type { DeviceName, OpenBackend } from '@flowgrad/tensor/browser';
import type { DeviceDescription, DeviceSettings } from '../protocol/training-protocol.ts';

export interface Device {
  readonly backend: OpenBackend;
  readonly description: DeviceDescription;
  /** Bytes that the backend holds. */
  memory(this: void): number;
}

export async function openDevice({ device, simd, threads }: DeviceSettings): Promise<Device> {
  const open = async (name: DeviceName): Promise<Device> => {
    const backend = await openBackend({ device: name, simd, ...(threads > 0 && { threads }) });
    return backend.name === 'wasm'
      ? {
          backend,
          description: { backend: 'wasm', details: backend.device + alone(), ...noteOn(device) },
          memory: () => backend.memory.highWater,
        }
      : {
          backend,
          description: { backend: 'webgpu', details: backend.device },
          memory: () => backend.counters().bytes,
        };
  };
  try {
    return await open(device);
  } catch (error) {
    // Whoever asked for WebGPU where there is none trains all the same; anything else is a fault that should be seen.
    if (device !== 'webgpu' || !(error instanceof TensorError && error.code === 'backend')) throw error;
    return open('wasm');
  }
}

const alone = (): string =>
  globalThis.crossOriginIsolated ? '' : ' (one thread, as this host does not isolate the page)';

/** Why it is wasm, where something else was asked for. */
function noteOn(device: DeviceName): { readonly note?: string } {
  if (device === 'wasm') return {};
  const reason = 'gpu' in navigator ? 'WebGPU found no GPU here' : 'This browser has no WebGPU';
  return { note: `${reason}: training runs on WebAssembly instead.` };
}
