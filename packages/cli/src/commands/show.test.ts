import { readFile, writeFile } from 'node:fs/promises';
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
  // A picture is replaced by another of its kind, and nothing else is.
  expect(await runCaptured([...words, '--format', 'png', '--out', png])).toMatchObject({ code: 0 });
  const notes = join(root, 'notes.txt');
  await writeFile(notes, 'mine');
  for (const [format, file] of [
    ['svg', notes],
    ['svg', png],
    ['png', svg],
  ]) {
    const { code, stderr } = await runCaptured([...words, '--format', format, '--out', file]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      `show: expected no file at ${file}, or a picture in ${format} to replace, got another file`,
    );
  }
  expect(await readFile(notes, 'utf8')).toBe('mine');
});

test('draws what a walker that remembers sees of each place, what tells most first', async () => {
  const walker = join(root, 'walker');
  expect(await runCaptured([...trainWords(walker, 'Walker'), '--memory', '3'])).toMatchObject({ code: 0 });
  const [first, last] = await Promise.all(
    ['1', '3'].map(async (channel) => {
      const file = join(root, `${channel}.svg`);
      const words = ['show', walker, '--channel', channel, ...onWasm, '--format', 'svg', '--out', file];
      expect(await runCaptured(words)).toMatchObject({ code: 0, stderr: '' });
      return readFile(file, 'utf8');
    }),
  );
  expect(first).toContain('what it remembers, channel 1 of 3');
  expect(first).not.toContain('polyline');
  // The end of the scale of colours: how far the places differ.
  const most = (svg: string): number => Number([...svg.matchAll(/">([\d.e-]+)<\/text>/g)].at(-1)![1]);
  expect(most(first)).toBeGreaterThan(most(last));
  expect(await runCaptured(['show', walker, '--channel', '4', ...onWasm])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected --channel in 1..3, got 4') as string,
  });
});

test.for([
  [['--step', '5'], 'expected --step in 0..4, got 5'],
  [['--source', '99,0'], 'expected a place of the map'],
  [['--source', '999'], 'expected a node in 0..'],
  [['--source', 'x'], "expected --source as x,y or a node's number"],
  [['--all', '--step', '1'], 'expected one of --all, --step and --channel, got --all and --step'],
  [['--channel', '1'], 'expected a model that remembers for --channel'],
] as const)('%o is wrong usage', async ([words, message]) => {
  expect(await runCaptured(['show', run, ...words, ...onWasm])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message) as string,
  });
});
