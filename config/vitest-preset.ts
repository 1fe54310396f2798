/**
 * What every package's vitest.config.ts uses: other packages resolve to their sources through the
 * `@flowgrad/source` condition, and `using` is lowered, which Node 20 cannot parse.
 */
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { regenerate, regenerating } from './regenerate.ts';

// So that a test sees ops, shaders and kernels as they are now, whatever was built last.
await regenerate();

const conditions = ['@flowgrad/source', 'module', 'node', 'import', 'default'];

/** Time limits find tests that hang; speed is a matter of benchmarks, and machines are shared. */
export const patience = { testTimeout: 60_000, hookTimeout: 120_000 };

/** The shared settings, with `test` settings of a package on top. */
export function vitestPreset(test: NonNullable<ViteUserConfig['test']> = {}): ViteUserConfig {
  return defineConfig({
    plugins: [regenerating()],
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    oxc: { target: 'es2022' },
    test: {
      include: ['src/**/*.test.ts'],
      exclude: ['src/**/*.browser.test.ts'],
      environment: 'node',
      ...patience,
      ...test,
    },
  });
}
