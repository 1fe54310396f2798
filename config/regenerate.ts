/**
 * What tests run is made of sources first, so that they never see what was built last: the lists of ops, the shaders
 * and the wasm kernels of packages/tensor. What did not change is kept.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { generate as compileKernels } from '../tools/kernels/src/generate.js';
import { generate as listOps } from '../tools/op-lists/src/generate.js';
import { embedShaders } from '../tools/wgsl/src/embed-shaders.js';

const tensor = fileURLToPath(new URL('../packages/tensor', import.meta.url));

/** Raises an error that names the file and the line of a shader or a kernel that is broken. */
export async function regenerate(): Promise<void> {
  const start = performance.now();
  listOps(tensor);
  const made = [
    ...(await embedShaders(tensor)),
    ...(await compileKernels(tensor)).map((part) => `${part}.as.ts`),
  ];
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const names = made.length > 4 ? `${made.length} shaders and kernels` : made.join(', ');
  if (made.length > 0) process.stderr.write(`made again in ${seconds} s: ${names}\n`);
}

/** Does so again while tests are watched; Vitest then runs what depends on it. */
export function regenerating(): Plugin {
  return {
    name: 'flowgrad-regenerate',
    configureServer({ watcher, config }) {
      let last = Promise.resolve();
      watcher.on('all', (_, path) => {
        if (!/\.(wgsl|as\.ts)$/.test(path)) return;
        last = last.then(regenerate).catch((error: unknown) => {
          config.logger.error(error instanceof Error ? error.message : String(error));
        });
      });
    },
  };
}
