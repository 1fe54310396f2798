/** The compiled kernels: which build runs here, and how one that shares memory runs without sharing. */
import { modules } from './generated/kernels.ts';
import { decodeHex, webAssembly } from './web-assembly.ts';
import type { WasmModule } from './web-assembly.ts';

/** plain: 128-bit SIMD. relaxed: the same with fused multiply-add, rounded once where the hardware has it. */
export type Simd = 'plain' | 'relaxed';

const decoded = new Map<Simd, readonly Uint8Array[]>();
const accepted = new Set<Simd>();
const compiled = new Map<string, Promise<readonly WasmModule[]>>();

/** The modules of a build, one for each file of kernels; they share one memory. */
function bytesOf(simd: Simd): readonly Uint8Array[] {
  const known = decoded.get(simd);
  if (known) return known;
  const bytes = modules.map((module) => decodeHex(module[simd]));
  decoded.set(simd, bytes);
  return bytes;
}

/** Whether the engine accepts a build. */
export function isSupported(simd: Simd): boolean {
  // Modules that import shared memory are valid everywhere that has SIMD; relaxed instructions are not. What an engine
  // refuses it may accept later, when a flag is set.
  if (!accepted.has(simd) && bytesOf(simd).every((bytes) => webAssembly.validate(unshared(bytes))))
    accepted.add(simd);
  return accepted.has(simd);
}

export function compileBuild(simd: Simd, shared: boolean): Promise<readonly WasmModule[]> {
  const name = `${simd}, ${shared ? 'shared' : 'unshared'}`;
  const known = compiled.get(name);
  if (known) return known;
  const modules = Promise.all(
    bytesOf(simd).map((bytes) => webAssembly.compile(shared ? bytes : unshared(bytes))),
  );
  compiled.set(name, modules);
  return modules;
}

const importSection = 2;
const memoryImport = 2;
const sharedFlag = 2;

/**
 * The same module importing an ordinary memory. The kernels use no atomic instruction, so the one difference is a
 * bit in the declaration of the imported memory: https://webassembly.github.io/threads/core/binary/types.html
 */
export function unshared(bytes: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  let at = 8; // past the magic number and the version
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = copy[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < copy.length) {
    const section = copy[at++];
    const size = number();
    if (section !== importSection) {
      at += size;
      continue;
    }
    number(); // how many imports; the memory is the only one
    for (let name = 0; name < 2; name++) {
      const length = number(); // of 'env', then of 'memory'
      at += length;
    }
    if (copy[at] === memoryImport) {
      copy[at + 1] &= ~sharedFlag;
      return copy;
    }
    break;
  }
  throw new Error('unshared: expected a module whose first import is a memory');
}
