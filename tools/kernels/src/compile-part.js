// @ts-check
/** One part through the AssemblyScript compiler. */
import asc from 'assemblyscript/asc';

/**
 * Two builds: with plain 128-bit SIMD, and with the fused multiply-add of relaxed SIMD. Both import a shared memory;
 * `builds.ts` tells how they run without one.
 */
export const builds = { plain: 'simd,threads', relaxed: 'simd,threads,relaxed-simd' };

const flags = [
  ...['--runtime', 'stub', '--use', 'abort=', '--noAssert', '--optimizeLevel', '3', '--converge'],
  ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
];

/**
 * @typedef {{ packageRoot: string, entries: readonly string[], build: keyof typeof builds, memoryBase: number }} Job
 * @typedef {{ wasm: Uint8Array, declarations: string }} Compiled
 */

/**
 * @param {Job} job `memoryBase` is where the part's constants lie: all parts share one memory
 * @returns {Promise<Compiled>}
 */
export async function compilePart({ packageRoot, entries, build, memoryBase }) {
  /** @type {Map<string, string | Uint8Array>} */
  const files = new Map();
  const { error, stderr } = await asc.main(
    [
      ...[...entries, '--baseDir', packageRoot, '--outFile', 'part.wasm', '--bindings', 'raw'],
      ...['--enable', builds[build], '--memoryBase', String(memoryBase), ...flags],
    ],
    {
      writeFile: (name, contents) => {
        files.set(name, contents);
      },
    },
  );
  if (error) throw new Error(`${entries[0]}: expected AssemblyScript, got\n${stderr.toString().trim()}`);
  return {
    wasm: /** @type {Uint8Array} */ (files.get('part.wasm')),
    declarations: String(files.get('part.d.ts')),
  };
}
