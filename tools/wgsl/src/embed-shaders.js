// @ts-check
/** Every .wgsl file of a package that is a kernel, joined with what it imports, as one typed TypeScript module. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describeShader } from './describe-shader.js';
import { checkImports, isKernel, unusedFiles, withImports } from './imports.js';
import { linkShader } from './link-shader.js';
import { shaderModule } from './shader-module.js';

const target = 'src/backends/webgpu/generated/shaders.ts';

/** @param {string} folder of the package */
export async function embedShaders(folder) {
  const sources = readSources(join(folder, 'src'));
  const text = shaderModule(await describeShaders(sources));
  mkdirSync(dirname(join(folder, target)), { recursive: true });
  writeFileSync(join(folder, target), text);
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
