/**
 * What every package's vitest.config.ts uses: other packages resolve to their sources through the
 * `@flowgrad/source` condition, and `using` is lowered, which Node 20 cannot parse.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { regenerate, regenerating } from './regenerate.ts';

// So that a test sees ops, shaders and kernels as they are now, whatever was built last.
await regenerate();

// Beside those that go without saying. Node gets them too, and must not take `import` for what is required.
const conditions = ['@flowgrad/source', 'module', 'node'];

/** Time limits find tests that hang; speed is a matter of benchmarks, and machines are shared. */
export const patience = { testTimeout: 300_000, hookTimeout: 900_000 };

const needsProcess = /\bvi\.(do)?mock\(|openWebGpu|'webgpu'|\/webgpu\//i;

/** Endings of tests that have a configuration of their own: `vitest.browser.config.ts`. */
const elsewhere = ['.browser.test.ts', '.page.test.ts'];

/**
 * The shared settings, with `test` settings of a package on top, for files with this ending. They run in one process,
 * which loads the packages once; a file that puts something in a module's place has a process of its own. So has one that
 * opens WebGPU: a process in which device after device was opened has ended with its heap corrupted, outside of our code.
 */
export function vitestPreset(
  test: NonNullable<ViteUserConfig['test']> = {},
  ending = '.test.ts',
): ViteUserConfig {
  const others = elsewhere.filter((each) => each !== ending);
  const apart = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !others.some((other) => file.endsWith(other)))
    .map((file) => join('src', file))
    .filter((file) => needsProcess.test(`${file}\n${readFileSync(file, 'utf8')}`));
  const together = {
    include: [`src/**/*${ending}`],
    exclude: [...others.map((other) => `src/**/*${other}`), ...apart],
    isolate: false,
  };
  return defineConfig({
    plugins: [regenerating()],
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    oxc: { target: 'es2022' },
    test: {
      environment: 'node',
      ...patience,
      ...(apart.length === 0
        ? together
        : {
            projects: [
              { extends: true, test: { name: 'together', ...together } },
              { extends: true, test: { name: 'apart', include: apart } },
            ],
          }),
      ...test,
    },
  });
}
