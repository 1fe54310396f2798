/** How the tests of the WebGPU backend open devices: as ./node or ./browser does. */
import type { OpenDeviceOptions, OpenedDevice } from '../../../backends/webgpu/device-options.ts';
import type { WebGpuBackend } from '../../../backends/webgpu/webgpu-backend.ts';

export interface WebGpuOpener {
  openDevice(options?: OpenDeviceOptions): Promise<OpenedDevice>;
  openWebGpu(options?: OpenDeviceOptions): Promise<WebGpuBackend>;
}

/** Opens a backend for `use`, and closes it whatever happens. */
export async function withBackend<T>(
  opener: WebGpuOpener,
  options: OpenDeviceOptions,
  use: (backend: WebGpuBackend) => Promise<T>,
): Promise<T> {
  const backend = await opener.openWebGpu(options);
  try {
    return await use(backend);
  } finally {
    await backend.close();
  }
}
