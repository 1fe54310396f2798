/** The backends that can be measured, by name. */
import { referenceBackend, setBackend, type Backend, type WasmBackend } from '@flowgrad/tensor';
import { openWasm, openWebGpu } from '@flowgrad/tensor/node';

export interface OpenBackend {
  readonly backend: Backend;
  /** What a reader needs to know beside the name: threads, adapter. */
  readonly description: string;
}

const openers: Readonly<Record<string, () => Promise<OpenBackend>>> = {
  reference: () => Promise.resolve({ backend: referenceBackend(), description: 'reference (plain loops)' }),
  wasm: async () => {
    const backend = await openWasm();
    return { backend, description: `wasm (${backend.simd} SIMD, ${backend.threads} threads)` };
  },
  webgpu: async () => {
    const backend = await openWebGpu();
    return { backend, description: `webgpu on ${backend.adapter.name}` };
  },
};

export async function openBackend(name: string): Promise<OpenBackend> {
  if (!Object.hasOwn(openers, name)) {
    throw new RangeError(
      `bench: could not resolve backend '${name}' among {${Object.keys(openers).join(', ')}}`,
    );
  }
  return openers[name]();
}

/** Runs `job` on wasm with two threads and a memory of its own, so that what memory it took is known. */
export async function onFreshWasm<T>(job: (backend: WasmBackend) => Promise<T>): Promise<T> {
  const backend = await openWasm({ threads: 2 });
  const previous = setBackend(backend);
  try {
    return await job(backend);
  } finally {
    setBackend(previous);
    await backend.close();
  }
}
