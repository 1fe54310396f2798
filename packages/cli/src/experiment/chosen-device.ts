import { TensorError } from '@flowgrad/tensor';
import { openDevice } from '@flowgrad/tensor/node';

/** What auto comes to, found out once for all processes. */
export async function chosenDevice(device: 'auto' | 'webgpu' | 'wasm'): Promise<'webgpu' | 'wasm'> {
  if (device !== 'auto') return device;
  try {
    const opened = await openDevice({ adapter: 'hardware' });
    (opened.device as unknown as { destroy(): void }).destroy();
    return 'webgpu';
  } catch (error) {
    if (error instanceof TensorError && error.code === 'backend') return 'wasm';
    throw error;
  }
}
