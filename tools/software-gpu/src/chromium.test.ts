import { access, constants } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { chromiumExecutable } from './chromium.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('Chromium is the one from npm, whatever is installed', async () => {
  vi.stubEnv('FLOWGRAD_CHROMIUM', undefined);
  const program = await chromiumExecutable();
  expect(program).toMatch(/[/\\]flowgrad[^/\\]*[/\\]chromium-[\d.]+-\d+[/\\]chromium$/);
  await access(program, constants.X_OK);
});

test('FLOWGRAD_CHROMIUM names another', async () => {
  vi.stubEnv('FLOWGRAD_CHROMIUM', '/opt/another/chromium');
  expect(await chromiumExecutable()).toBe('/opt/another/chromium');
});
