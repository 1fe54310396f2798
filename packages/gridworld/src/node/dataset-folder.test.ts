import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateDataset } from '../dataset/dataset.ts';
import type { GridDataset } from '../dataset/dataset.ts';
import { encodeTextLayout, TEXT_FILES } from '../text-layout/text-layout.ts';
import { writeFolder } from '@flowgrad/files/node';
import { readDataset, writeDataset } from './dataset-folder.ts';
import { readTextLayout, writeTextLayout } from './text-layout-folder.ts';

const dataset = generateDataset('HISTORY-SZ8-STP6-NDRP-STD0.5', { seed: 3 });

let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'flowgrad-gridworld-'));
  folder = join(parent, 'sub', 'dataset');
});
afterEach(() => rm(parent, { recursive: true }));

function comparable({ map, trajectories, splits, seed, world }: GridDataset): object {
  return { map, trajectories, splits, seed, parameters: world.parameters };
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  expect(change(text)).not.toBe(text);
  await writeFile(path, change(text));
}

describe('a folder that is replaced', () => {
  it.each(['notes.txt', 'project.old-2023', 'graph.txt.bak'])(
    'keeps %s, which is not of a dataset',
    async (name) => {
      await writeDataset(folder, dataset);
      await mkdir(join(folder, name));
      const message = `in the folder to replace, got ${folder} with ${name} (choose another folder, or move them away)`;
      await expect(writeDataset(folder, dataset, { overwrite: true })).rejects.toThrow(message);
      await expect(writeTextLayout(folder, dataset, { overwrite: true })).rejects.toThrow(message);
      expect(await readdir(folder)).toContain(name);
      expect(await readdir(join(folder, '..'))).toEqual(['dataset']);
    },
  );

  it('may be in the other layout', async () => {
    await writeDataset(folder, dataset);
    await writeTextLayout(folder, dataset, { overwrite: true });
    await writeDataset(folder, dataset, { overwrite: true });
    expect(comparable(await readDataset(folder))).toEqual(comparable(dataset));
  });
});

describe('a dataset folder', () => {
  it('is read back as it was written, parameters and seed included', async () => {
    await writeDataset(folder, dataset);
    expect((await readdir(folder)).sort()).toEqual([...TEXT_FILES, 'manifest.json'].sort());
    expect(comparable(await readDataset(folder))).toEqual(comparable(dataset));
  });

  it('keeps an empty dataset', async () => {
    const empty = generateDataset('LINE-SZ1-STP6-NDRP-STD0.5', { seed: 3 });
    await writeDataset(folder, empty);
    expect(comparable(await readDataset(folder))).toEqual(comparable(empty));
  });

  it('does not mind files that are not its own', async () => {
    await writeDataset(folder, dataset);
    await writeFile(join(folder, 'entity2id.txt'), 'x');
    await expect(readDataset(folder)).resolves.toBeDefined();
  });

  it.each(TEXT_FILES)('names %s when it was truncated, edited, or is missing', async (file) => {
    await writeDataset(folder, dataset);
    const size = (await readFile(join(folder, file))).length;
    await truncate(join(folder, file), size - 1);
    await expect(readDataset(folder)).rejects.toThrow(
      `${file}: expected ${size} bytes (manifest.json), got ${size - 1}`,
    );

    await writeDataset(folder, dataset, { overwrite: true });
    await edit(file, (text) => text.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)));
    await expect(readDataset(folder)).rejects.toThrow(`${file}: expected SHA-256`);

    await rm(join(folder, file));
    await expect(readDataset(folder)).rejects.toThrow(`${file}: expected a file in ${folder}, got none`);
  });

  it.each([
    [
      'an edited seed',
      (text: string) => text.replace('"seed": 3', '"seed": 4'),
      'manifest.json: expected checksum',
    ],
    [
      'an edited σ',
      (text: string) => text.replace('"sigma": 0.5', '"sigma": 0.2'),
      'manifest.json: expected checksum',
    ],
    [
      'an added key',
      (text: string) => text.replace('"seed": 3', '"seed": 3, "x": 1'),
      'manifest.json: expected checksum',
    ],
    ['a truncated end', (text: string) => text.slice(0, -20), 'manifest.json: expected JSON, got'],
    [
      'another version',
      (text: string) => text.replace('"version": 1', '"version": 2'),
      'manifest.json: expected version 1, got 2',
    ],
    [
      'another format',
      (text: string) => text.replace('"flowgrad-', '"flowgr-'),
      "manifest.json: expected format 'flowgrad-gridworld-dataset', got",
    ],
    ['nothing at all', () => 'null', 'manifest.json: expected a JSON object, got null'],
  ])('names a manifest with %s', async (_, change, message) => {
    await writeDataset(folder, dataset);
    await edit('manifest.json', change);
    await expect(readDataset(folder)).rejects.toThrow(message);
  });

  it.each<[string, (manifest: Record<string, unknown>) => void, string]>([
    [
      'no parameters',
      (m) => delete m['parameters'],
      'manifest.json: expected parameters to be an object, got undefined',
    ],
    [
      'a seed of text',
      (m) => (m['seed'] = '3'),
      "manifest.json: expected seed to be an integer in 0..4294967295, got '3'",
    ],
    [
      'no files',
      (m) => (m['files'] = {}),
      'manifest.json: expected files.graph.txt to be an object, got undefined',
    ],
    [
      'more',
      (m) => (m['more'] = 1),
      "manifest.json: expected options among format, version, seed, parameters, files, got 'more'",
    ],
  ])(
    'names what is wrong in a manifest with %s, even if its checksum is right',
    async (_, change, message) => {
      await writeDataset(folder, dataset);
      await edit('manifest.json', (text) => {
        const { checksum: _, ...manifest } = JSON.parse(text) as Record<string, unknown>;
        change(manifest);
        const checksum = createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
        return JSON.stringify({ ...manifest, checksum });
      });
      await expect(readDataset(folder)).rejects.toThrow(message);
    },
  );

  it('names a missing manifest: the authors’ layout alone is no dataset folder', async () => {
    await writeTextLayout(folder, dataset);
    await expect(readDataset(folder)).rejects.toThrow('manifest.json: expected a file in');
  });

  it('names bytes that are no text', async () => {
    await writeDataset(folder, dataset);
    await writeFile(join(folder, 'train.txt'), Uint8Array.of(0xff, 0xfe));
    await expect(readDataset(folder)).rejects.toThrow('train.txt: expected UTF-8 text, got other bytes');
  });

  it('is not written over another unless told to', async () => {
    await writeDataset(folder, dataset);
    const other = generateDataset('HISTORY-SZ8-STP6-NDRP-STD0.5', { seed: 4 });
    await expect(writeDataset(folder, other)).rejects.toThrow('got one (overwrite: true replaces it)');
    expect((await readDataset(folder)).seed).toBe(3);
    await writeDataset(folder, other, { overwrite: true });
    expect((await readDataset(folder)).seed).toBe(4);
    expect(await readdir(join(parent, 'sub'))).toEqual(['dataset']);
  });
});

describe('writeFolder', () => {
  it('leaves nothing behind, and what was there untouched, when a file cannot be written', async () => {
    await writeFolder(folder, { a: 'old' });
    // A name with a folder that is not there fails after the first file was written.
    await expect(writeFolder(folder, { a: 'new', 'no/b': '' }, { overwrite: true })).rejects.toThrow(
      'ENOENT',
    );
    expect(await readdir(join(parent, 'sub'))).toEqual(['dataset']);
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('old');
  });

  it('replaces all of an older folder, not file by file', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'stale'), '');
    await writeFolder(folder, { a: 'new' }, { overwrite: true, alsoReplaces: ['stale'] });
    expect(await readdir(folder)).toEqual(['a']);
  });
});

describe('the authors’ text layout on disk', () => {
  it('is read back as it was written', async () => {
    await writeTextLayout(folder, dataset);
    expect((await readdir(folder)).sort()).toEqual([...TEXT_FILES].sort());
    const { map, trajectories, splits } = dataset;
    expect(await readTextLayout(folder, { size: 8 })).toMatchObject({ map, trajectories, splits });
    expect(encodeTextLayout(await readTextLayout(folder))).toEqual(encodeTextLayout(dataset));
  });

  it('names a file that is missing', async () => {
    await writeTextLayout(folder, dataset);
    await rm(join(folder, 'valid.txt'));
    await expect(readTextLayout(folder)).rejects.toThrow(`valid.txt: expected a file in ${folder}, got none`);
  });
});
