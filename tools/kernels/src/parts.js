// @ts-check
/** The parts in which kernels are compiled: every `*.as.ts` file beside an op, with the files it imports. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * @typedef {{ name: string, entries: string[], hash: string }} Part `entries` are the files whose exports it has
 */

/** Where kernels lie; those in `assembly/` only hold what kernels share. */
const folders = ['src/ops', 'src/bench'];

/** Gives every part that multiplies the scratch memory of its thread. */
const scratch = {
  file: 'src/backends/wasm/assembly/scratch.as.ts',
  of: 'src/backends/wasm/assembly/multiply.as.ts',
};

/**
 * @param {string} packageRoot
 * @param {string} recipe whatever else the result depends on: the compiler, its flags
 * @returns {Part[]}
 */
export function listParts(packageRoot, recipe) {
  const read = (/** @type {string} */ file) => readFileSync(join(packageRoot, file), 'utf8');
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file.replaceAll('\\', '/')}`,
      ),
    )
    .filter((file) => file.endsWith('.as.ts'))
    .sort();
  return files.map((file) => {
    const name = basename(file, '.as.ts');
    const twin = files.find((other) => other !== file && basename(other, '.as.ts') === name);
    if (twin) throw new Error(`${file}: expected a name of its own, got that of ${twin}`);
    const entries = withImports(file, read).includes(scratch.of) ? [file, scratch.file] : [file];
    const sources = [...new Set(entries.flatMap((entry) => withImports(entry, read)))];
    const hash = createHash('sha256').update(recipe);
    for (const source of sources) hash.update(`\n${source}\n${read(source)}`);
    return { name, entries, hash: hash.digest('hex').slice(0, 32) };
  });
}

/**
 * A file and all that it imports.
 *
 * @param {string} file
 * @param {(file: string) => string} read
 */
function withImports(file, read) {
  const files = [file];
  for (const source of files) {
    for (const [, path] of read(source).matchAll(/from '(\.[^']+)'/g)) {
      const imported = `${join(dirname(source), path).replaceAll('\\', '/')}.ts`;
      if (!files.includes(imported)) files.push(imported);
    }
  }
  return files;
}
