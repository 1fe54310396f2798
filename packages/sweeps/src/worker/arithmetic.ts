/** What decides the bits of a result: runs go on with the same numbers only where this is the same. */
import { matmul, scope, setBackend, tensor } from '@flowgrad/tensor';
import type { Backend } from '@flowgrad/tensor';

/**
 * The arithmetic of a backend in a few letters: `wasm-plain`, `wasm-relaxed-fused`, `webgpu-…` with its adapter. The number of threads is
 * no part of it: it changes no bit.
 */
export async function arithmeticOf(backend: Backend): Promise<string> {
  const words = backend.name === 'wasm' ? wasmWords(backend.device) : backend.device;
  const rounding = (await fusesProducts(backend)) ? ' fused' : '';
  return `${backend.name} ${words}${rounding}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);
}

/** `2 threads, relaxed SIMD`: the second part alone. */
const wasmWords = (device: string): string => /(plain|relaxed) SIMD/.exec(device)?.[1] ?? device;

/**
 * Whether a product is rounded once with the sum that it goes into. Relaxed SIMD leaves that to the processor: a² − (1 + 2⁻¹¹) with
 * a = 1 + 2⁻¹² is 2⁻²⁴ if so, and 0 if a² is rounded first.
 */
async function fusesProducts(backend: Backend): Promise<boolean> {
  const previous = setBackend(backend);
  try {
    const a = 1 + 2 ** -12;
    const [rest] = await scope(() => matmul(tensor([[1, a]]), tensor([[-(1 + 2 ** -11)], [a]])).data());
    return rest !== 0;
  } finally {
    setBackend(previous);
  }
}
