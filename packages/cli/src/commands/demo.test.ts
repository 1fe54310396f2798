import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { runCaptured } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { onWasm } from '../testing/tiny-run.ts';
import { demoRuns } from './demo.ts';

const emptyFolder = temporaryFolders();

test('demo trains three models, shows them beside the ceiling and writes a report; then it is done already', async () => {
  const out = join(await emptyFolder(), 'demo');
  const { code, stdout } = await runCaptured(['demo', '--epochs', '1', '--out', out, ...onWasm]);
  expect(code).toBe(0);
  for (const row of ['GGNN-MulMlp', 'RW-Stationary', 'Walker', 'ceiling']) {
    expect(stdout).toMatch(new RegExp(`^${row} +\\d`, 'm'));
  }
  expect(stdout).toContain(`The report, with pictures of the attention: ${join(out, 'report.html')}\n`);
  expect(await readFile(join(out, 'report.html'), 'utf8')).toMatch(/^<!doctype html>[^]*<svg/i);
  expect(await runCaptured(['demo', '--epochs', '1', '--out', out])).toEqual({ code, stdout, stderr: '' });
});

test('examples of commands that name a run of the demo name one that it leaves', () => {
  const words = commands.flatMap(({ examples }) => examples.flatMap(({ line }) => line.split(' ')));
  const named = words.filter((word) => word.startsWith('runs/demo/'));
  const folders = demoRuns().map(({ folder }) => folder);
  expect(named.length).toBeGreaterThan(0);
  expect(folders).toEqual(expect.arrayContaining(named));
});
