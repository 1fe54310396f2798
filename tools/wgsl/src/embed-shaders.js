// @ts-check
/** Every .wgsl file of a package that is a kernel, joined with what it imports, as one typed TypeScript module. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readGenerated, writeGenerated } from '../../../config/generated-file.js';
import { checkImports, isKernel, unusedFiles, withImports } from './imports.js';
import { shaderModule } from './shader-module.js';

const folder = 'src/backends/webgpu/generated';

/**
 * What was found out of each shader, by its path, and of what: kept beside the module, so that only shaders that
 * changed are linked again.
 *
 * @typedef {Record<string, { hash: string, shader: import('./shader-module.js').NamedShader }>} Kept
 */

/**
 * Writes the module if it was made of other sources. Two processes may do so at once: files are replaced in one step.
 *
 * @param {string} packageRoot
 * @returns {Promise<string[]>} the shaders that were linked
 */
export async function embedShaders(packageRoot) {
  const sources = readSources(join(packageRoot, 'src'));
  const module = join(packageRoot, folder, 'shaders.ts');
  const tool = toolText();
  const stamp = `// ${hashOf(tool, JSON.stringify(sources))}\n`;
  if (readGenerated(module)?.startsWith(stamp)) return [];
  const keptIn = join(packageRoot, folder, 'shaders.json');
  /** @type {Kept} */
  const kept = JSON.parse(readGenerated(keptIn) ?? '{}');
  /** @type {Kept} */
  const next = {};
  const linked = [];
  for (const path of kernelsIn(sources)) {
    const hash = hashOf(tool, withImports(sources, path));
    if (kept[path]?.hash !== hash) linked.push(path);
    next[path] = kept[path]?.hash === hash ? kept[path] : { hash, shader: await describe(path, sources) };
  }
  const shaders = Object.values(next).map(({ shader }) => shader);
  const twice = shaders.find(({ name }, i) => shaders.findIndex((other) => other.name === name) !== i);
  if (twice) throw new Error(`${twice.path}: another kernel is called ${twice.name} too`);
  mkdirSync(join(packageRoot, folder), { recursive: true });
  writeGenerated(keptIn, JSON.stringify(next));
  writeGenerated(module, stamp + shaderModule(shaders));
  return linked;
}

/** This tool, and the versions of what it uses. */
function toolText() {
  const own = ['describe-shader.js', 'embed-shaders.js', 'imports.js', 'link-shader.js', 'shader-module.js'];
  return [...own, '../package.json']
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
    .join('');
}

/** @param {readonly string[]} texts */
function hashOf(...texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}

/**
 * The text of every .wgsl file under a folder, by its path there.
 *
 * @param {string} folder
 * @returns {import('./imports.js').Sources}
 */
export function readSources(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.wgsl'))
    .sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The paths of those that are kernels, once their imports are in order. */
function kernelsIn(/** @type {import('./imports.js').Sources} */ sources) {
  checkImports(sources);
  const unused = unusedFiles(sources);
  if (unused.length > 0) throw new Error(`${unused.join(', ')}: expected a shader that imports it, got none`);
  return Object.keys(sources).filter((path) => isKernel(sources[path]));
}

/**
 * @param {string} path
 * @param {import('./imports.js').Sources} sources
 */
async function describe(path, sources) {
  // The linker and the reflector are loaded only when there is something to do.
  const { describeShader } = await import('./describe-shader.js');
  const { linkShader } = await import('./link-shader.js');
  const pieces = await linkShader(path, sources);
  const code = pieces.map(({ text }) => text).join('');
  return {
    name: basename(path, '.wgsl'),
    path,
    pieces,
    ...describeShader(path, code, withImports(sources, path)),
  };
}
