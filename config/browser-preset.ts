/**
 * What a package's vitest.browser.config.ts uses: its `*.browser.test.ts` run in a headless Chromium with WebGPU on
 * the CPU, once in a page that is cross-origin isolated (so that there is SharedArrayBuffer, and with it threads)
 * and once in one that is not.
 */
import { playwright } from '@vitest/browser-playwright';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectConfiguration, type ViteUserConfig } from 'vitest/config';
import { chromiumArguments, chromiumExecutable } from '../tools/software-gpu/src/index.ts';
import { complaints } from './browser-complaints.ts';
import { regenerating } from './regenerate.ts';
import { patience } from './vitest-preset.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the page is to be cross-origin isolated, for `inject`. */
    isolated: boolean;
  }
}

const isolating = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** The shared settings, with `test` settings of a package on top. */
export async function browserPreset(test: NonNullable<ViteUserConfig['test']> = {}): Promise<ViteUserConfig> {
  const provider = playwright({
    launchOptions: { executablePath: await chromiumExecutable(), args: [...chromiumArguments] },
  });
  const project = (isolated: boolean): TestProjectConfiguration => ({
    extends: true,
    server: { headers: isolated ? isolating : {} },
    test: { name: isolated ? 'isolated' : 'not isolated', provide: { isolated } },
  });
  return defineConfig({
    plugins: [regenerating()],
    resolve: { conditions: ['@flowgrad/source', 'module', 'browser', 'import', 'default'] },
    // Its own folder, for the Node tests may run at the same time.
    cacheDir: 'node_modules/.vite-browser',
    oxc: { target: 'es2022' },
    test: {
      include: ['src/**/*.browser.test.ts'],
      setupFiles: [fileURLToPath(new URL('browser-setup.ts', import.meta.url))],
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider,
        api: { host: '127.0.0.1' },
        commands: { complaints },
        instances: [{ browser: 'chromium' }],
      },
      ...patience,
      ...test,
      projects: [project(true), project(false)],
    },
  });
}
