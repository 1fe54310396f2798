import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claimFolder } from './owned-folder.ts';
import { checksumOf, readRunFiles, writeRunFiles } from './moved-run.ts';

const root = await mkdtemp(join(tmpdir(), 'flowgrad-moved-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const files = { 'config.json': '{}', 'attention.json': 'one' };

test('a folder made of files reads as these files, and unchanged ones are not read again', async () => {
  const folder = join(root, 'made');
  expect(await readRunFiles(folder)).toBeUndefined();
  await writeRunFiles(folder, files);
  const first = (await readRunFiles(folder))!;
  expect(Object.keys(first.contents)).toEqual(Object.keys(files));
  const known = new Map(Object.entries(first.files).map(([path, { sha256 }]) => [path, sha256]));
  await writeRunFiles(folder, { 'config.json': '{}', 'metrics.jsonl': 'line\n' });
  const second = (await readRunFiles(folder, known))!;
  expect(second.files['config.json']).toEqual({ bytes: 2, sha256: checksumOf('{}') });
  expect(Object.keys(second.files)).toEqual(['config.json', 'metrics.jsonl']);
  expect(Object.keys(second.contents)).toEqual(['metrics.jsonl']);
  expect((await readdir(folder)).sort()).toEqual([
    'config.json',
    expect.stringMatching(/^manifest-/),
    'metrics.jsonl',
  ]);
});

test('while somebody writes, every reading is one state', async () => {
  const folder = join(root, 'busy');
  const run = await claimFolder(folder);
  let isOver = false;
  const writing = (async () => {
    for (let i = 0; i < 30; i++) {
      await run.commit({ write: { 'config.json': String(i), 'metrics.jsonl': String(i) } });
    }
    isOver = true;
  })();
  let readings = 0;
  while (!isOver) {
    const now = await readRunFiles(folder);
    if (!now) continue;
    readings += 1;
    const [config, metrics] = Object.values(now.contents).map((bytes) => Buffer.from(bytes).toString());
    expect(config).toBe(metrics);
  }
  await writing;
  await run.release();
  expect(readings).toBeGreaterThan(0);
});

test.for(['../evil', '/evil', 'snapshots/../../evil', 'snapshots/evil', 'manifest-00000009.json'])(
  '%s is no file of a run, and nothing is written',
  async (path) => {
    const folder = join(root, 'names');
    await expect(writeRunFiles(folder, { ...files, [path]: 'x' })).rejects.toThrow(
      `run: expected names of a run's files, got ${JSON.stringify(path)}`,
    );
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  },
);

test('a file that is not what its manifest says is named', async () => {
  const folder = join(root, 'damaged');
  await writeRunFiles(folder, files);
  await writeFile(join(folder, 'config.json'), '[]');
  await expect(readRunFiles(folder)).rejects.toThrow(
    /config\.json: expected the 2 bytes that the manifest lists/,
  );
});
