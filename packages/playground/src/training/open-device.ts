/** The device that training runs on: the one asked for, or wasm and why. */
import { TensorError } from '@flowgrad/tensor';
import { openWasm, openWebGpu } from '@flowgrad/tensor/browser';
import type { OpenBackend } from '@flowgrad/tensor/browser';
import type { DeviceDescription, DeviceSettings } from '../protocol/training-protocol.ts';

export interface Device {
  readonly backend: OpenBackend;
  readonly description: DeviceDescription;
  /** Bytes that the backend holds. */
  memory(this: void): number;
}

export async function openDevice(settings: DeviceSettings): Promise<Device> {
  if (settings.device === 'wasm') return wasmDevice(settings);
  try {
    return await webGpuDevice(settings.device === 'webgpu');
  } catch (error) {
    // No adapter is what wasm is for; anything else is a fault that should be seen.
    if (!(error instanceof TensorError && error.code === 'backend')) throw error;
    const isMissing = !('gpu' in navigator);
    const reason = isMissing ? 'This browser has no WebGPU' : 'WebGPU found no GPU here';
    return wasmDevice(settings, `${reason}: training runs on WebAssembly instead.`);
  }
}

/** A software adapter is slower than wasm, so it is taken only if WebGPU was asked for. */
async function webGpuDevice(isWanted: boolean): Promise<Device> {
  const backend = await openWebGpu({ adapter: isWanted ? 'auto' : 'hardware' });
  return {
    backend,
    description: { backend: 'webgpu', details: backend.device },
    memory: () => backend.counters().bytes,
  };
}

async function wasmDevice({ simd, threads }: DeviceSettings, note?: string): Promise<Device> {
  const backend = await openWasm({ simd, ...(threads > 0 && { threads }) });
  const alone = globalThis.crossOriginIsolated ? '' : ' (one thread, as this host does not isolate the page)';
  return {
    backend,
    description: {
      backend: 'wasm',
      details: `${backend.device}${alone}`,
      ...(note !== undefined && { note }),
    },
    memory: () => backend.memory.highWater,
  };
}
