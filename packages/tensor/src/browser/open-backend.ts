import { openBackendWith } from '../backends/open-backend.ts';
import type { OpenBackend, OpenBackendOptions } from '../backends/open-backend.ts';
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
export function openBackend(options: OpenBackendOptions = {}): Promise<OpenBackend> {
  return openBackendWith({ openWebGpu, openWasm }, options);
}
