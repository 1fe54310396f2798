/// <reference types="@webgpu/types" />
/** WebGPU in Node, through Dawn (`webgpu` on npm). */
import { checkOptions, describeAdapter, noAdapter, requestDevice } from '../backends/webgpu/open-device.ts';
import type { OpenDeviceOptions, OpenedDevice } from '../backends/webgpu/device-options.ts';
import { webGpuBackend } from '../backends/webgpu/runtime.ts';
import type { WebGpuBackend } from '../backends/webgpu/webgpu-backend.ts';
import { adapterOf, loadDawn } from './dawn.ts';
import { hasRegisteredDriver, softwareDrivers } from './vulkan-drivers.ts';

const hint =
  'npm install webgpu @sparticuz/chromium gives a software adapter on Linux x64; ' +
  'or install a GPU driver, or mesa-vulkan-drivers 25 or newer with libvulkan1';

/**
 * A device: of the GPU, of a software Vulkan driver on the machine, or of the SwiftShader that npm ships.
 *
 * @example
 * const { adapter } = await openDevice({ adapter: 'software' });
 * const name: string = adapter.name;
 */
export async function openDevice(options: OpenDeviceOptions = {}): Promise<OpenedDevice> {
  checkOptions('openDevice', options);
  const { adapter: wanted = 'auto', powerPreference } = options;
  const tried: string[] = [];
  const dawn = loadDawn(tried);
  if (!dawn) throw noAdapter(wanted, tried, hint);
  const candidates = [
    // Whatever the machine is set up for: a GPU, or the driver that VK_ICD_FILENAMES names.
    ...(hasRegisteredDriver(tried) ? [{ name: "the machine's own adapter", icd: undefined }] : []),
    ...(wanted === 'hardware' ? [] : softwareDrivers(tried)),
  ];
  for (const { name, icd } of candidates) {
    const adapter = await adapterOf(dawn, icd, powerPreference ? { powerPreference } : {});
    if (!adapter) {
      tried.push(`${name}: no adapter`);
      continue;
    }
    const { name: description, isSoftware } = describeAdapter(adapter);
    if (wanted === 'auto' || isSoftware === (wanted === 'software')) {
      return destroyedAtExit(await requestDevice(adapter, options));
    }
    tried.push(`${name}: ${description} is ${isSoftware ? 'software' : 'hardware'}`);
  }
  throw noAdapter(wanted, tried, hint);
}

const open = new Set<OpenedDevice['device']>();

/**
 * What Dawn made for a device is freed when the garbage collector finds the objects that stand for it. Those are tiny,
 * and V8 cannot see the megabytes behind them: 400 devices opened and closed kept 100 MB waiting. A buffer that nobody
 * touches, and that takes no memory therefore, lives as long as the device and tells V8 what it is worth to collect.
 */
const weights = new WeakMap<OpenedDevice['device'], ArrayBuffer>();
const deviceWeight = 32 * 2 ** 20;

/**
 * Destroys the device when the process ends, which waits for its work: `process.exit` with work under way crashed
 * one process in ten inside Dawn otherwise.
 */
function destroyedAtExit(opened: OpenedDevice): OpenedDevice {
  if (open.size === 0) process.on('exit', destroyAll);
  const { device } = opened;
  open.add(device);
  weights.set(device, new ArrayBuffer(deviceWeight));
  void device.lost.then(() => {
    open.delete(device);
    if (open.size === 0) process.off('exit', destroyAll);
  });
  return opened;
}

function destroyAll(): void {
  for (const device of open) device.destroy();
}

/**
 * The WebGPU backend in Node. Close it when done, or let the process end: it does not wait for it.
 *
 * @example
 * const backend = await openWebGpu();
 * await backend.close();
 */
export async function openWebGpu(options: OpenDeviceOptions = {}): Promise<WebGpuBackend> {
  const { device, adapter } = await openDevice(options);
  return webGpuBackend(device, { adapter, ...(options.limits && { limits: options.limits }) });
}
