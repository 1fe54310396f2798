import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCaptured } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { onWasm, trainWords } from '../testing/tiny-run.ts';

const emptyFolder = temporaryFolders();
let root: string;
let run: string;
let regular: string;
beforeAll(async () => {
  root = await emptyFolder();
  run = join(root, 'flow');
  expect(await runCaptured(trainWords(run))).toMatchObject({ code: 0 });
  regular = join(root, 'regular');
  expect(await runCaptured(trainWords(regular, 'GAT'))).toMatchObject({ code: 0 });
});

const evaluated = async (...words: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await runCaptured(['evaluate', ...words, ...onWasm, '--json'])).stdout) as Record<
    string,
    unknown
  >;

test('a run folder and its file of parameters score as they did in training', async () => {
  const [line] = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).split('\n');
  const { test, valid } = JSON.parse(line) as { test: object; valid: object };
  const [snapshot] = await readdir(join(run, 'snapshots'));
  expect(snapshot).toBe('epoch-0001.safetensors');
  expect(await evaluated(run, '--epoch', '1')).toMatchObject({ epoch: 1, split: 'test', ...test });
  expect(await evaluated(join(run, 'snapshots', snapshot), '--split', 'valid')).toMatchObject({
    epoch: 1,
    split: 'valid',
    ...valid,
  });
});

test('the last epoch is that of the checkpoint', async () => {
  const lines = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  const { test } = JSON.parse(lines[1]) as { test: object };
  expect(await evaluated(run, '--epoch', 'last')).toMatchObject({ epoch: 2, ...test });
});

test('prints raw, filtered, ceiling and where attention was at every time', async () => {
  const { code, stdout } = await runCaptured(['evaluate', run, ...onWasm]);
  expect(code).toBe(0);
  for (const row of ['raw', 'filtered', 'ceiling, raw', 'ceiling, filtered']) {
    expect(stdout).toMatch(new RegExp(`^${row} +\\d`, 'm'));
  }
  expect(stdout).toMatch(/^0 +100\.0 % +0\.00$/m);
  expect(stdout).toMatch(/^4 +\d+\.\d % /m);
});

test('a regular network has no flow', async () => {
  expect((await runCaptured(['evaluate', regular, ...onWasm])).stdout).toContain('A regular network');
  expect(await evaluated(regular)).not.toHaveProperty('flow');
});

test('what is not there is wrong usage', async () => {
  expect(await runCaptured(['evaluate', run, '--epoch', '9'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected parameters of epoch 9') as string,
  });
  expect(await runCaptured(['evaluate', root])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('without config.json') as string,
  });
});
