import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateDataset } from '@flowgrad/gridworld';
import { beforeAll, expect, test } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
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

test('a model without embeddings is scored on a world that it never saw, of another size', async () => {
  const walker = join(root, 'walker');
  expect(await runCaptured(trainWords(walker, 'Walker'))).toMatchObject({ code: 0 });
  const larger = tinyWorld.replace(/SZ\d+/, 'SZ9');
  expect(larger).not.toBe(tinyWorld);
  const there = await evaluated(walker, '--on', larger, '--seed', '3');
  expect(there).toMatchObject({ on: { group: larger, seed: 3 }, run: { group: tinyWorld, seed: 1 } });
  const other = generateDataset(larger, { seed: 3 });
  expect(there['ceiling']).toEqual(other.ceiling?.('test'));
  const { stdout } = await runCaptured(['evaluate', walker, '--seed', '2', ...onWasm]);
  expect(stdout).toContain(
    `Walker+epochs=2 trained on ${tinyWorld}, seed 1, epoch ${String(there['epoch'])}, on ${tinyWorld}, seed 2, test split`,
  );
});

test('a model with embeddings is not, as those belong to its map', async () => {
  expect(await runCaptured(['evaluate', run, '--seed', '2', ...onWasm])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'evaluate: expected a model without free embeddings for --seed, got GGNN-MulMlp+epochs=2, whose embeddings belong to ' +
        'the map it was trained on (train with --waves 2 --embeddings false)',
    ) as string,
  });
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
