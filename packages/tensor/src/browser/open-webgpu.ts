/// <reference types="@webgpu/types" />
/** WebGPU through navigator.gpu. */
import { checkOptions, describeAdapter, noAdapter, requestDevice } from '../backends/webgpu/open-device.ts';
import type { OpenDeviceOptions, OpenedDevice } from '../backends/webgpu/device-options.ts';
import { webGpuBackend } from '../backends/webgpu/runtime.ts';
import type { WebGpuBackend } from '../backends/webgpu/webgpu-backend.ts';

const hint =
  'WebGPU needs a current browser and a page from https or localhost; Chromium on Linux may need --enable-unsafe-webgpu';

/**
 * A device of the browser's.
 *
 * @example
 * const { adapter } = await openDevice({ adapter: 'software' });
 * const name: string = adapter.name;
 */
export async function openDevice(options: OpenDeviceOptions = {}): Promise<OpenedDevice> {
  checkOptions('openDevice', options);
  const { adapter: wanted = 'auto', powerPreference } = options;
  const { navigator } = globalThis as { navigator?: { readonly gpu?: GPU } };
  if (!navigator?.gpu) throw noAdapter(wanted, ['navigator.gpu: not there'], hint);
  const tried: string[] = [];
  for (const forceFallbackAdapter of wanted === 'software' ? [true, false] : [false, true]) {
    if (wanted === 'hardware' && forceFallbackAdapter) continue;
    const request = `requestAdapter({ forceFallbackAdapter: ${forceFallbackAdapter} })`;
    const adapter = await navigator.gpu.requestAdapter({
      forceFallbackAdapter,
      ...(powerPreference && { powerPreference }),
    });
    if (!adapter) {
      tried.push(`${request}: none`);
      continue;
    }
    const { name, isSoftware } = describeAdapter(adapter);
    if (wanted === 'auto' || isSoftware === (wanted === 'software')) return requestDevice(adapter, options);
    tried.push(`${request}: ${name} is ${isSoftware ? 'software' : 'hardware'}`);
  }
  throw noAdapter(wanted, tried, hint);
}

/**
 * The WebGPU backend in a page or a worker.
 *
 * @example
 * const backend = await openWebGpu();
 * await backend.close();
 */
export async function openWebGpu(options: OpenDeviceOptions = {}): Promise<WebGpuBackend> {
  const { device, adapter } = await openDevice(options);
  return webGpuBackend(device, { adapter, ...(options.limits && { limits: options.limits }) });
}
