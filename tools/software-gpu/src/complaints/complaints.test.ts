/** Runs the browser tests beside it, which all would pass if nobody minded what the page complains of. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Report {
  readonly testResults: readonly { name: string; status: string; message: string }[];
}

const folder = fileURLToPath(new URL('../../', import.meta.url));
const vitest = fileURLToPath(new URL('../../../../node_modules/vitest/vitest.mjs', import.meta.url));

async function runBrowserTests(): Promise<{ code: unknown; report: Report }> {
  const scratch = await mkdtemp(join(tmpdir(), 'flowgrad-complaints-'));
  const outputFile = join(scratch, 'report.json');
  const options = ['--config', 'vitest.browser.config.ts', '--reporter', 'json', '--outputFile', outputFile];
  // Vitest tells its workers who they are; the one started here is not among them.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  try {
    const code = await new Promise((resolve) => {
      execFile(process.execPath, [vitest, 'run', ...options], { cwd: folder, env }, (error) =>
        resolve(error?.code ?? 0),
      );
    });
    return { code, report: JSON.parse(await readFile(outputFile, 'utf8')) as Report };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

test('a browser test file fails if its page complains, and only then', async () => {
  const { code, report } = await runBrowserTests();
  expect(code).toBe(1);
  const found: Record<string, Set<string>> = {};
  for (const { name, status, message } of report.testResults) {
    (found[basename(name, '.browser.test.ts')] ??= new Set()).add(`${status} ${message}`);
  }
  // Both pages, isolated or not, say the same.
  expect(found).toEqual({
    silent: new Set(['passed ']),
    'console-error': new Set(['failed page: expected no complaints, got\nerror: broken wire']),
    'missing-file': new Set([expect.stringMatching(/^failed [^]*\nerror: Failed to load resource/)]),
    'uncaught-error': new Set([expect.stringMatching(/^failed [^]*\nError: broken page/)]),
    'invalid-webgpu': new Set([expect.stringMatching(/^failed [^]*\nwarning: [^]*CreateBuffer/)]),
  });
});
