import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { onWasm, trainWords } from '../testing/tiny-run.ts';

const emptyFolder = temporaryFolders();
const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

let root: string;
let run: string;
beforeAll(async () => {
  root = await emptyFolder();
  run = join(root, 'run');
});

test('shows an epoch per line on stderr, and scores beside the ceiling on stdout', async () => {
  const { code, stdout, stderr } = await runCaptured(trainWords(run));
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Training GGNN-MulMlp\+epochs=2 on SINE-SZ6-.*: 2 epochs; wasm, 1 thread, /);
  expect(stderr.match(/^epoch \d\/2: loss \d+\.\d+, validation hits@1 /gm)).toHaveLength(2);
  expect(stdout).toMatch(/^GGNN-MulMlp\+epochs=2 +\d+\.\d ± \d+\.\d/m);
  expect(stdout).toMatch(/^ceiling +\d+\.\d /m);
  expect(stdout).toContain(`The run is in ${run}\n`);
});

test('again in the same folder is refused, and resumed it is done already', async () => {
  await runCaptured(trainWords(run));
  expect(await runCaptured(trainWords(run))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(--resume goes on with it; or choose another folder)') as string,
  });
  const again = await runCaptured(['train', '--resume', run]);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  expect(again.stdout).toContain('ceiling');
});

test('a run that goes on keeps its settings: flags may repeat them, others are wrong usage', async () => {
  const folder = join(root, 'settings');
  expect(await runCaptured(trainWords(folder))).toMatchObject({ code: 0 });
  const resume = ['train', '--resume', folder, ...onWasm];
  expect(await runCaptured([...resume, '--epochs', '2', '--seed', '1'])).toMatchObject({ code: 0 });
  const more = await runCaptured([...resume, '--epochs', '300']);
  expect([more.code, more.stderr]).toEqual([
    2,
    expect.stringContaining(
      `train: expected the settings of the run in ${folder}, --epochs 2, got --epochs 300 (the epochs of a run are fixed, ` +
        'as its learning rates go by them; without --resume and with another --out these begin a run of their own)',
    ),
  ]);
  const whole = ['--group', tinyWorld, '--model', 'GGNN', '--epochs', '3'];
  const other = await runCaptured([...resume, ...whole]);
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('--model GGNN-MulMlp --epochs 2, got --model GGNN --epochs 3 (the epochs of'),
  ]);
  const kept = await runCaptured([...resume, '--keep-nodes', '3']);
  expect([kept.code, kept.stderr]).toEqual([
    2,
    expect.stringContaining('no --keep-nodes, got --keep-nodes 3 (the settings of a run are fixed;'),
  ]);
});

test('as JSON it tells the start, steps, epochs and the end, line by line', async () => {
  const events = jsonLines((await runCaptured([...trainWords(join(root, 'json')), '--json'])).stdout);
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'epoch')).toHaveLength(2);
  expect([kinds[0], kinds.at(-1)]).toEqual(['start', 'done']);
  expect(events.at(-1)).toMatchObject({ result: { epochs: 2 }, folder: join(root, 'json') });
});

test('on a terminal there is a bar that is gone at the end', async () => {
  const { stderr } = await runCaptured(trainWords(join(root, 'bar')), { isTTY: true });
  expect(stderr).toContain('█');
  expect(stderr.endsWith('\r\x1b[K')).toBe(true);
});

test('stopped, it says how to go on, and is exit code 130', async () => {
  const folder = join(root, 'a folder to stop');
  const stop = new AbortController();
  const { code, stderr } = await runCaptured(trainWords(folder), {
    signal: stop.signal,
    onStage: (stage) => stage === 'working' && stop.abort(),
  });
  expect(code).toBe(130);
  expect(stderr).toContain(`Stopped. To go on: flowgrad train --resume '${folder}'\n`);
  expect(await readdir(folder)).toContain('checkpoints');
  expect(await runCaptured(['train', '--resume', folder, ...onWasm])).toMatchObject({ code: 0 });
});

test('stopped before the first step, it makes none: what is there goes on, and what is not was never begun', async () => {
  const [made, none] = [join(root, 'stopped early'), join(root, 'stopped at once')];
  const stages: string[] = [];
  const stop = new AbortController();
  const early = await runCaptured(trainWords(made), {
    signal: stop.signal,
    // The first time before the folder is made, the second when it is there.
    onStage: (stage) => stage === 'beginning' && stages.push(stage) === 2 && stop.abort(),
  });
  expect(early).toMatchObject({
    code: 130,
    stderr: `Stopped. To go on: flowgrad train --resume '${made}'\n`,
  });
  expect((await readdir(made)).sort()).toEqual(['config.json', expect.stringMatching(/^manifest-/)]);
  expect(await runCaptured(['train', '--resume', made, ...onWasm])).toMatchObject({ code: 0 });
  expect(await runCaptured(trainWords(none), { signal: AbortSignal.abort() })).toMatchObject({
    code: 130,
    stderr: 'Stopped before anything was written. The same command begins anew.\n',
  });
  expect(await readdir(root)).not.toContain('stopped at once');
});

test.for([
  ['train --model GAT', 'got no --group'],
  ['train', 'expected --group and --model, got no --group and no --model'],
  ['train --resume', 'expected a run folder after --resume, got none'],
  ['train --resume nowhere', 'expected a run in nowhere, got none'],
  [
    `train --group ${tinyWorld} --model GAT somewhere`,
    "expected a folder behind --resume or --out, got 'somewhere' alone",
  ],
  ['train --resume a --out b', 'expected one folder, got a and b'],
  ['train --resume a --epochs 3', 'expected --group and --model'],
  [`train --group ${tinyWorld} --settings {"group":"${tinyWorld}","model":"GAT"}`, 'got both'],
])('"%s" is wrong usage: %s', async ([line, message]) => {
  expect(await runCaptured(line)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message) as string,
  });
});

test('a folder below a file is one clear line', async () => {
  const file = join(root, 'file');
  await writeFile(file, '');
  const { code, stderr } = await runCaptured(trainWords(join(file, 'run')));
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^flowgrad: train: \S+file\S*: expected a folder, got a file on the way \(ENOTDIR\)\n$/,
  );
});
