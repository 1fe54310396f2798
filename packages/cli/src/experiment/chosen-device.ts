import { TensorError } from '@flowgrad/tensor';
import { openDevice } from '@flowgrad/tensor/node';

/** What auto comes to, found out once for all processes. WebGPU that is asked for where there is none is an error. */
export async function chosenDevice(device: 'auto' | 'webgpu' | 'wasm'): Promise<'webgpu' | 'wasm'> {
  if (device === 'wasm') return device;
  try {
    const opened = await openDevice({ adapter: device === 'auto' ? 'hardware' : 'auto' });
    (opened.device as unknown as { destroy(): void }).destroy();
    return 'webgpu';
  } catch (error) {
    if (device === 'auto' && error instanceof TensorError && error.code === 'backend') return 'wasm';
    throw error;
  }
}
