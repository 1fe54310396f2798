/** The built page in a real Chromium, driven from Node, which also computes what it should show. */
import { vitestPreset } from '../../config/vitest-preset.ts';
import { chromiumArguments, chromiumExecutable } from '../../tools/software-gpu/src/index.ts';

const test = {
  // One page at a time: most of what is tested wants all cores.
  fileParallelism: false,
  provide: { chromium: { executablePath: await chromiumExecutable(), args: [...chromiumArguments] } },
  globalSetup: ['src/node/page-tests/shared-chromium.ts'],
};
export default vitestPreset(test, '.page.test.ts');
