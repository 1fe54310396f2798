import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackOnce } from './unpack-once.ts';

let cache: string;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'flowgrad-unpack-'));
});
afterEach(() => rm(cache, { recursive: true, force: true }));

test('a folder is filled on first use and left alone afterwards', async () => {
  let fills = 0;
  const fill = async (folder: string): Promise<void> => {
    fills += 1;
    await writeFile(join(folder, 'a'), 'text');
  };
  const folder = await unpackOnce('files', fill, cache);
  expect(await unpackOnce('files', fill, cache)).toBe(folder);
  expect(fills).toBe(1);
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('text');
});

test('two who unpack at once get one whole folder, and leave nothing else', async () => {
  const fill = async (folder: string): Promise<void> => {
    await writeFile(join(folder, 'a'), 'first');
    await setTimeout(20);
    await writeFile(join(folder, 'b'), 'second');
  };
  const folders = await Promise.all([1, 2, 3].map(() => unpackOnce('files', fill, cache)));
  expect(new Set(folders).size).toBe(1);
  expect((await readdir(folders[0])).sort()).toEqual(['a', 'b']);
  expect(await readdir(cache)).toEqual(['files']);
});

test('an unpacking that fails leaves nothing, and the next one succeeds', async () => {
  const fails = async (folder: string): Promise<void> => {
    await writeFile(join(folder, 'a'), 'half');
    throw new Error('disk full');
  };
  await expect(unpackOnce('files', fails, cache)).rejects.toThrow('disk full');
  expect(await readdir(cache)).toEqual([]);
  await unpackOnce('files', async () => {}, cache);
  expect(await readdir(cache)).toEqual(['files']);
});

test('where the workspace cannot be written, it unpacks elsewhere', async () => {
  await writeFile(join(cache, 'file'), '');
  const elsewhere = join(cache, 'elsewhere');
  const folder = await unpackOnce('files', async () => {}, join(cache, 'file'), elsewhere);
  expect(folder).toBe(join(elsewhere, 'files'));
  expect(await unpackOnce('files', async () => {}, join(cache, 'file'), elsewhere)).toBe(folder);
});
