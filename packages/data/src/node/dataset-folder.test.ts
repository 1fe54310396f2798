import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { family, readFiles } from '../folder/folder.cases.ts';
import { readDataFolder, writeDataFolder } from './dataset-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'flowgrad-data-'));
});
afterEach(() => rm(root, { recursive: true }));

async function write(files: Readonly<Record<string, string>>): Promise<string> {
  await mkdir(join(root, 'data'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, 'data', name), text);
  return join(root, 'data');
}

it('has a hash that every byte of its files changes, and nothing else', async () => {
  const folder = await write(family);
  const { sha256 } = await readDataFolder(folder);
  expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(join(folder, 'notes.md'), 'not of the dataset');
  expect((await readDataFolder(folder)).sha256).toBe(sha256);
  for (const name of Object.keys(family)) {
    await writeFile(join(folder, name), `${family[name as keyof typeof family].trimEnd()}\r\n`);
    expect((await readDataFolder(folder)).sha256).not.toBe(sha256);
    await write(family);
  }
});

it('names the folder, the file and the line of a mistake', async () => {
  const folder = await write({ ...family, 'edges.tsv': 'sender\treceiver\nann\teve\n' });
  await expect(readDataFolder(folder)).rejects.toThrow(
    `${join(folder, 'edges.tsv')}:2: expected a node of nodes.tsv, got 'eve'`,
  );
});

it('is written as a whole, and over another one only if asked', async () => {
  const dataset = await readFiles(family);
  const folder = join(root, 'made', 'family');
  await writeDataFolder(folder, dataset);
  expect((await readdir(folder)).sort()).toEqual(Object.keys(family).sort());
  await expect(writeDataFolder(folder, dataset)).rejects.toThrow('expected no folder at');
  const { alsoTrue: _, ...less } = dataset;
  await writeDataFolder(folder, less, { overwrite: true });
  expect(await readdir(folder)).not.toContain('true.tsv');
  expect((await readDataFolder(folder)).examples.train.count).toBe(2);
});

it('leaves nothing where a name cannot be written', async () => {
  const dataset = { ...(await readFiles(family)), nodeNames: ['a', 'b', 'c\td', 'e'] };
  await expect(writeDataFolder(join(root, 'x'), dataset)).rejects.toThrow(
    "writeDataset: expected different names of nodes, without tabs and line ends, got 'c\\td'",
  );
  expect(await readdir(root)).toEqual([]);
});
