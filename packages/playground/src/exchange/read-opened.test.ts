import { cardOf, resolveRun } from '@flowgrad/evaluation';
import { expect, it } from 'vitest';
import { readFiles } from '../data/read-files.ts';
import { transitDataset } from '../example/transit.ts';
import { writeDataset } from '@flowgrad/data';
import type { OpenedFile } from './opened-file.ts';
import { readLimits } from './read-limits.ts';
import { readOpened } from './read-opened.ts';
import { writeZip } from './write-zip.ts';

const file = (path: string, content: string | Uint8Array): OpenedFile => {
  const bytes = new Uint8Array(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return { path, size: bytes.length, bytes: async () => bytes };
};
const texts = Object.entries(writeDataset(transitDataset()));
const inFolder = texts.map(([name, text]) => file(`transit/${name}`, text));

it.for<[string, OpenedFile[]]>([
  ['a folder', [...inFolder, file('transit/notes.txt', ''), file('transit/old/edges.tsv', '')]],
  ['files side by side', texts.map(([name, text]) => file(name, text))],
  [
    'a zip file',
    [file('transit.zip', writeZip(Object.fromEntries(texts.map(([name, text]) => [`a/${name}`, text]))))],
  ],
])('a dataset is opened as %s', async ([, files]) => {
  const opened = await readOpened(files);
  expect(opened.kind).toBe('data');
  if (opened.kind === 'data') expect((await readFiles(opened.files)).graph.nodeCount).toBe(146);
});

it('a run on a dataset is read as a run, with the card of its data', async () => {
  const dataset = await readOpened(inFolder);
  const card = cardOf(await readFiles(dataset.kind === 'data' ? dataset.files : {}));
  const config = resolveRun({ group: card, model: 'RW-Stationary' });
  const opened = await readOpened([
    file('run/config.json', JSON.stringify(config)),
    file('run/snapshots/epoch-0001.safetensors', Uint8Array.of(1)),
    ...texts.map(([name, text]) => file(`run/transit/${name}`, text)),
  ]);
  expect(opened).toMatchObject({ kind: 'run', config });
});

it('a dataset is opened with runs on it inside of its folder', async () => {
  const opened = await readOpened([...inFolder, file('transit/runs/a/config.json', '{}')]);
  expect(opened.kind).toBe('data');
});

const empty = (...paths: string[]): OpenedFile[] => paths.map((path) => file(path, ''));

it.for<[string, OpenedFile[], string]>([
  [
    'datasets and runs',
    empty('all/ring/edges.tsv', 'all/ring/nodes.tsv', 'all/line/edges.tsv', 'all/runs/a/config.json'),
    '2 datasets: all/line, all/ring; 1 run: all/runs/a (open one of them)',
  ],
  [
    'a run beside a dataset',
    empty('a/config.json', 'ring/edges.tsv'),
    '1 dataset: ring; 1 run: a (open one of them)',
  ],
  [
    'many runs',
    empty(...Array.from('gfedcba', (name) => `runs/${name}/config.json`)),
    '7 runs: runs/a, runs/b, runs/c, runs/d, runs/e, … (open one of them)',
  ],
  [
    'datasets in a zip file',
    [file('all.zip', writeZip({ 'ring/edges.tsv': '', 'line/edges.tsv': '' }))],
    '2 datasets: line, ring (open one of them)',
  ],
])('of %s none is taken, and they are named', async ([, files, found]) => {
  await expect(readOpened(files)).rejects.toThrow(
    `open: expected one dataset folder or one run folder, got ${found}`,
  );
});

it('a dataset that is too large is refused before it is read', async () => {
  const large = {
    path: 'edges.tsv',
    size: readLimits.fileBytes + 1,
    bytes: () => Promise.reject(new Error('read')),
  };
  await expect(readOpened([large])).rejects.toThrow(
    'open: expected at most 256 MiB in edges.tsv, got 257 MiB',
  );
});
