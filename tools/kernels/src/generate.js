// @ts-check
/**
 * Writes src/backends/wasm/generated of a package: kernels.ts, and beside it what is kept of each part: both builds of it,
 * and what it was made of, so that only what changed is compiled again.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readGenerated, writeGenerated } from '../../../config/generated-file.js';
import { compileAll } from './compile-all.js';
import { dataEnd } from './data-end.js';
import { kernelsModule, kernelsOf } from './modules.js';
import { listParts } from './parts.js';

/** Constants of the parts, each in its own room; tables of launches follow (linear-memory.ts). */
const firstByte = 1024;
const roomBytes = 256;
const roomsEnd = 16384;

/** What parts depend on besides their sources. The compiler itself is loaded only when there is something to compile. */
function recipe() {
  const compiler = createRequire(import.meta.url).resolve('assemblyscript/package.json');
  return ['compile-part.js', 'modules.js']
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .concat(readFileSync(compiler, 'utf8'))
    .join('\n');
}

/**
 * Two processes may do so at once: a file is replaced in one step, and both write the same.
 *
 * @param {string} packageRoot
 * @returns {Promise<string[]>} the names of the parts that were compiled
 */
export async function generate(packageRoot) {
  const target = join(packageRoot, 'src/backends/wasm/generated');
  const fileOf = (/** @type {string} */ name) => join(target, 'kernels', `${name}.json`);
  mkdirSync(join(target, 'kernels'), { recursive: true });
  const parts = listParts(packageRoot, recipe()).map((part, i) => ({
    ...part,
    memoryBase: firstByte + i * roomBytes,
    kept: keptIn(fileOf(part.name)),
  }));
  if (firstByte + parts.length * roomBytes > roomsEnd) {
    throw new Error(
      `kernels: expected at most ${(roomsEnd - firstByte) / roomBytes} files, got ${parts.length}`,
    );
  }
  const stale = parts.filter(
    ({ kept, hash, memoryBase }) => kept?.hash !== hash || (kept.memoryBase ?? memoryBase) !== memoryBase,
  );
  const compiled = await compileAll(
    stale.flatMap(({ entries, memoryBase }) =>
      /** @type {const} */ (['plain', 'relaxed']).map((build) => ({
        packageRoot,
        entries,
        build,
        memoryBase,
      })),
    ),
  );
  stale.forEach((part, i) => {
    const [plain, relaxed] = compiled.slice(2 * i, 2 * i + 2);
    const end = Math.max(dataEnd(plain.wasm), dataEnd(relaxed.wasm));
    if (end > part.memoryBase + roomBytes) {
      const got = end - part.memoryBase;
      throw new Error(`${part.entries[0]}: expected at most ${roomBytes} bytes of constants, got ${got}`);
    }
    part.kept = {
      hash: part.hash,
      memoryBase: end > 0 ? part.memoryBase : null,
      kernels: kernelsOf(plain.declarations),
      plain: hex(plain.wasm),
      relaxed: hex(relaxed.wasm),
    };
    writeGenerated(fileOf(part.name), JSON.stringify(part.kept));
  });
  writeGenerated(join(target, 'kernels.ts'), kernelsModule(parts.flatMap(({ kept }) => kept ?? [])));
  for (const file of readdirSync(join(target, 'kernels'))) {
    if (/\.(json|ts)$/.test(file) && !parts.some(({ name }) => file === `${name}.json`))
      rmSync(join(target, 'kernels', file));
  }
  return stale.map(({ name }) => name);
}

/**
 * @param {string} path
 * @returns {import('./modules.js').Kept | undefined}
 */
function keptIn(path) {
  return JSON.parse(readGenerated(path) ?? 'null') ?? undefined;
}

const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('hex');
