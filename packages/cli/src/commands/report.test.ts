import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { trainWords } from '../testing/tiny-run.ts';

const emptyFolder = temporaryFolders();

vi.mock(import('@flowgrad/evaluation/node'), async (original) => ({
  ...(await original()),
  // What a report looks like is tested where it is made.
  writeReport: (folder, out) => writeFile(out, `<html>${folder}</html>`),
}));

test('takes runs of a kind together, beside the ceiling', async () => {
  const folder = await emptyFolder();
  for (const seed of ['1', '2']) {
    await runCaptured([...trainWords(join(folder, seed), 'RW-Stationary'), '--seed', seed]);
  }
  await runCaptured(trainWords(join(folder, 'half')), { signal: AbortSignal.abort() });
  const { code, stdout, stderr } = await runCaptured([
    'report',
    folder,
    '--out',
    join(folder, 'report.html'),
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/RW-Stationary\+epochs=2 +2 +\d+\.\d ± \d+\.\d/);
  expect(stdout).toMatch(/^ +filtered .*\n +ceiling /m);
  expect(stdout).toContain('The page is');
  expect(stderr).toBe(`Left out, as not done: ${join(folder, 'half')}\n`);
  const { groups } = JSON.parse((await runCaptured(['report', folder, '--json'])).stdout) as {
    groups: { raw: { mrr: { values: number[] } } }[];
  };
  // Two runs of two epochs each: all of them are among the best three.
  expect(groups[0].raw.mrr.values).toHaveLength(4);
});

test('a folder without finished runs is a failure', async () => {
  expect(await runCaptured(['report', await emptyFolder()])).toMatchObject({ code: 1 });
});
