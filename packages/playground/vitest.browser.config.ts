/** The built page in a real Chromium, driven from Node, which also computes what it should show. */
import { vitestPreset } from '../../config/vitest-preset.ts';
import { chromiumArguments, chromiumExecutable } from '../../tools/software-gpu/src/index.ts';

export default vitestPreset({
  include: ['src/**/*.page.test.ts'],
  // One page at a time: most of what is tested wants all cores.
  fileParallelism: false,
  testTimeout: 180_000,
  provide: { chromium: { executablePath: await chromiumExecutable(), args: [...chromiumArguments] } },
  globalSetup: ['src/node/page-tests/shared-chromium.ts'],
});
