import { openBackendWith } from '../backends/open-backend.ts';
import type { OpenBackendOptions } from '../backends/open-backend.ts';
import type { WasmBackend } from '../backends/wasm/wasm-backend.ts';
import type { WebGpuBackend } from '../backends/webgpu/webgpu-backend.ts';
import { openWasm } from './open-wasm.ts';
import { openWebGpu } from './open-webgpu.ts';

/**
 * Opens the best backend a page or worker has, or the one named.
 *
 * @example
 * const backend = await openBackend();
 * const device: string = backend.device;
 * await backend.close();
 */
export function openBackend(options: OpenBackendOptions = {}): Promise<WasmBackend | WebGpuBackend> {
  return openBackendWith({ openWebGpu, openWasm }, options);
}
