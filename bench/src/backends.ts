/** The backends that can be measured, by name. */
import { expectOneOf, referenceBackend, setBackend, type Backend, type WasmBackend } from '@flowgrad/tensor';
import { openWasm, openWebGpu } from '@flowgrad/tensor/node';

const openers: Readonly<Record<string, () => Promise<Backend>>> = {
  reference: () => Promise.resolve(referenceBackend()),
  wasm: () => openWasm(),
  webgpu: () => openWebGpu(),
};

export function openBackend(name: string): Promise<Backend> {
  return openers[expectOneOf('bench', 'backend', name, Object.keys(openers))]();
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
