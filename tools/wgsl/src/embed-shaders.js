// @ts-check
/** Every .wgsl file of a package that is a kernel, joined with what it imports, as one typed TypeScript module. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkImports, isKernel, unusedFiles, withImports } from './imports.js';

const target = 'src/backends/webgpu/generated/shaders.ts';

/**
 * Writes the module if it was made of other sources. Two processes may do so at once: it is replaced in one step.
 *
 * @param {string} packageRoot
 * @returns {Promise<boolean>} whether it was written
 */
export async function embedShaders(packageRoot) {
  const sources = readSources(join(packageRoot, 'src'));
  const path = join(packageRoot, target);
  const stamp = `// ${hashOf(sources)}\n`;
  if (startOf(path, stamp.length) === stamp) return false;
  // The linker and the reflector are loaded only when there is something to do.
  const { shaderModule } = await import('./shader-module.js');
  const text = stamp + shaderModule(await describeShaders(sources));
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
  return true;
}

/** Of what the module is made of: the shaders, this tool, and the versions of what it uses. */
function hashOf(/** @type {import('./imports.js').Sources} */ sources) {
  const hash = createHash('sha256').update(JSON.stringify(sources));
  const own = ['describe-shader.js', 'embed-shaders.js', 'imports.js', 'link-shader.js', 'shader-module.js'];
  for (const file of [...own, '../package.json']) hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @param {number} length
 */
function startOf(path, length) {
  try {
    return readFileSync(path, 'utf8').slice(0, length);
  } catch {
    return undefined;
  }
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

/** @param {import('./imports.js').Sources} sources */
export async function describeShaders(sources) {
  const { describeShader } = await import('./describe-shader.js');
  const { linkShader } = await import('./link-shader.js');
  checkImports(sources);
  const unused = unusedFiles(sources);
  if (unused.length > 0) throw new Error(`${unused.join(', ')}: expected a shader that imports it, got none`);
  const paths = Object.keys(sources).filter((path) => isKernel(sources[path]));
  const shaders = await Promise.all(
    paths.map(async (path) => {
      const linked = await linkShader(path, sources);
      return {
        name: basename(path, '.wgsl'),
        path,
        ...describeShader(path, linked.code, withImports(sources, path)),
        ...linked,
      };
    }),
  );
  const twice = shaders.find(({ name }, i) => shaders.findIndex((other) => other.name === name) !== i);
  if (twice) throw new Error(`${twice.path}: another kernel is called ${twice.name} too`);
  return shaders;
}
