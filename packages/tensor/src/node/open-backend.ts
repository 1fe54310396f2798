import { openBackendWith } from '../backends/open-backend.ts';
import type { OpenBackend, OpenBackendOptions } from '../backends/open-backend.ts';
import { openWasm } from './open-wasm.ts';
import { openWebGpu } from './open-webgpu.ts';

/**
 * Opens the machine's best backend, or the one named. Close it when done, or let the process end.
 *
 * @example
 * const backend = await openBackend();
 * const device: string = backend.device;
 * await backend.close();
 */
export function openBackend(options: OpenBackendOptions = {}): Promise<OpenBackend> {
  return openBackendWith({ openWebGpu, openWasm }, options);
}
