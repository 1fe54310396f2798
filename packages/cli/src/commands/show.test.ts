import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { onWasm, trainWords } from '../testing/tiny-run.ts';

const emptyFolder = temporaryFolders();
let root: string;
let run: string;
beforeAll(async () => {
  root = await emptyFolder();
  run = join(root, 'flow');
  expect(await runCaptured(trainWords(run))).toMatchObject({ code: 0 });
});

test('draws a character pair for each place, the source and the end marked', async () => {
  const { code, stdout } = await runCaptured(['show', run, ...onWasm]);
  expect(code).toBe(0);
  const [, , , ...rows] = stdout.split('\n');
  expect(rows.slice(0, 6).join('')).toMatch(/S@/);
  expect(stdout).toContain('D where a walk from it ended');
  expect(stdout).not.toContain('\x1b');
});

test('has colours on a terminal that knows them, and not with NO_COLOR', async () => {
  const env = { COLORTERM: 'truecolor' };
  expect((await runCaptured(['show', run, ...onWasm], { isTTY: true, env })).stdout).toContain('\x1b[48;2;');
  const without = { ...env, NO_COLOR: '1' };
  expect((await runCaptured(['show', run, ...onWasm], { isTTY: true, env: without })).stdout).not.toContain(
    '\x1b',
  );
});

test('all times, or one', async () => {
  const all = (await runCaptured(['show', run, '--all', ...onWasm])).stdout;
  expect(all.match(/attention at t = \d/g)).toHaveLength(5);
  const one = (await runCaptured(['show', run, '--step', '0', ...onWasm])).stdout;
  // At the beginning all of it is on the source.
  expect(one).toContain('at most 1.000 at one place');
  expect(one.match(/@/g)).toHaveLength(1);
});

test('writes SVG and PNG', async () => {
  const svg = join(root, 'a.svg');
  const png = join(root, 'a.png');
  const [x, y] = /from (\d+),(\d+)/.exec((await runCaptured(['show', run, ...onWasm])).stdout)!.slice(1);
  const words = ['show', run, '--source', `${x},${y}`, ...onWasm];
  expect(await runCaptured([...words, '--format', 'svg', '--out', svg])).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await runCaptured([...words, '--format', 'png', '--out', png])).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await readFile(svg, 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/);
  expect((await readFile(png)).subarray(0, 4).toString('latin1')).toBe('\x89PNG');
});

test.for([
  [['--step', '5'], 'expected --step in 0..4, got 5'],
  [['--source', '99,0'], 'expected a place of the map'],
  [['--source', '999'], 'expected a node in 0..'],
  [['--source', 'x'], "expected --source as x,y or a node's number"],
  [['--all', '--step', '1'], 'expected --all or --step, got both'],
] as const)('%o is wrong usage', async ([words, message]) => {
  expect(await runCaptured(['show', run, ...words, ...onWasm])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message) as string,
  });
});
