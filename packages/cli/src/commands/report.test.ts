import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { trainWords } from '../testing/tiny-run.ts';

const emptyFolder = temporaryFolders();

test('takes runs of a kind together, beside the ceiling', async () => {
  const folder = await emptyFolder();
  for (const seed of ['1', '2']) {
    await runCaptured([...trainWords(join(folder, seed), 'RW-Stationary'), '--seed', seed]);
  }
  const stop = new AbortController();
  await runCaptured(trainWords(join(folder, 'half')), {
    signal: stop.signal,
    onStage: (stage) => stage === 'working' && stop.abort(),
  });
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
  expect(await readFile(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>[^]*RW-Stationary/i);
  expect(stderr).toBe(`Left out, as not done: ${join(folder, 'half')}\n`);
  const { groups } = JSON.parse((await runCaptured(['report', folder, '--json'])).stdout) as {
    groups: { raw: { mrr: { values: number[] } } }[];
  };
  // Two runs of two epochs each: all of them are among the best three.
  expect(groups[0].raw.mrr.values).toHaveLength(4);
});

test.runIf(process.platform !== 'win32')(
  'names runs that this user may not read, and reports the rest',
  async () => {
    const folder = await emptyFolder();
    for (const name of ['mine', 'closed']) await runCaptured(trainWords(join(folder, name), 'RW-Stationary'));
    await chmod(folder, 0o755);
    await chmod(join(folder, 'closed'), 0);
    // Root may read anything.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid!(65534);
    try {
      const { code, stdout, stderr } = await runCaptured(['report', folder]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/RW-Stationary\+epochs=2 +1 /);
      expect(stderr).toContain(`Left out: ${join(folder, 'closed')} (permission denied, `);
    } finally {
      if (isRoot) process.seteuid!(0);
      await chmod(join(folder, 'closed'), 0o755);
    }
  },
);

test('of several shufflings the one that is best on validation counts, where that is asked for', async () => {
  const folder = await emptyFolder();
  for (const shuffling of ['1', '2']) {
    await runCaptured([...trainWords(join(folder, shuffling), 'RW-Stationary'), '--shuffling', shuffling]);
  }
  const page = join(folder, 'report.html');
  const { stdout } = await runCaptured(['report', folder, '--best-shuffling', '--out', page]);
  expect(stdout).toMatch(/RW-Stationary\+epochs=2 +1 +\d+\.\d ± \d+\.\d/);
  const runsOn = async (): Promise<number> =>
    (await readFile(page, 'utf8')).match(/flowgrad train --group/g)?.length ?? 0;
  expect(await runsOn()).toBe(1);
  await runCaptured(['report', folder, '--out', page]);
  expect(await runsOn()).toBe(2);
});

test('a folder without finished runs is a failure', async () => {
  expect(await runCaptured(['report', await emptyFolder()])).toMatchObject({ code: 1 });
});
