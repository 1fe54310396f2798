// @ts-check
/**
 * Writes src/backends/webgpu/generated/shaders.ts of the package in the working directory: every .wgsl file under
 * src with its typed contract.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describeShader } from './describe-shader.js';
import { shaderModule } from './shader-module.js';

const target = 'src/backends/webgpu/generated/shaders.ts';

const paths = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.wgsl'))
  .sort();
const shaders = paths.map((path) => {
  const code = readFileSync(join('src', path), 'utf8');
  return { name: basename(path, '.wgsl'), path, code, ...describeShader(path, code) };
});
const twice = shaders.find(({ name }, i) => shaders.findIndex((other) => other.name === name) !== i);
if (twice) throw new Error(`${twice.path}: another kernel is called ${twice.name} too`);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, shaderModule(shaders));
