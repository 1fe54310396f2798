/** Which backend a program runs on, when it does not care: the GPU if there is one, else all cores. */
import type { Backend } from '../core/backend.ts';
import type { Simd } from './wasm/builds.ts';
import { expectOneOf, rejectUnknownOptions, TensorError } from '../core/errors.ts';

/** 'auto' is 'webgpu' where a hardware adapter is found, else 'wasm': software adapters are slower than wasm. */
export type DeviceName = 'auto' | 'webgpu' | 'wasm';

/** Which backend `openBackend` opens. */
export interface OpenBackendOptions {
  readonly device?: DeviceName;
  /** Of wasm; as many as there are cores unless given. */
  readonly threads?: number;
  /** Of wasm; 'auto' unless given. */
  readonly simd?: 'auto' | Simd;
}

/** A backend that holds a device or threads until it is closed. */
export interface OpenBackend extends Backend {
  close(): Promise<void>;
}

/** How the platform opens each. */
export interface BackendOpeners<Gpu = OpenBackend, Wasm = OpenBackend> {
  readonly openWebGpu: (options: { readonly adapter: 'auto' | 'hardware' }) => Promise<Gpu>;
  readonly openWasm: (options: Pick<OpenBackendOptions, 'threads' | 'simd'>) => Promise<Wasm>;
}

export async function openBackendWith<Gpu extends OpenBackend, Wasm extends OpenBackend>(
  { openWebGpu, openWasm }: BackendOpeners<Gpu, Wasm>,
  options: OpenBackendOptions = {},
): Promise<Gpu | Wasm> {
  rejectUnknownOptions('openBackend', options, ['device', 'threads', 'simd']);
  const { device = 'auto', threads, simd } = options;
  const wasm = (): Promise<Wasm> =>
    openWasm({ ...(threads !== undefined && { threads }), ...(simd !== undefined && { simd }) });
  switch (expectOneOf('openBackend', 'device', device, ['auto', 'webgpu', 'wasm'])) {
    case 'wasm':
      return wasm();
    case 'webgpu':
      return openWebGpu({ adapter: 'auto' });
    case 'auto':
      try {
        return await openWebGpu({ adapter: 'hardware' });
      } catch (error) {
        // No adapter is what wasm is for; anything else is a fault that should be seen.
        if (error instanceof TensorError && error.code === 'backend') return wasm();
        throw error;
      }
  }
}
