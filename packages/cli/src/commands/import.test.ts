import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDataFolder } from '@flowgrad/data/node';
import { beforeAll, expect, test } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();
let root: string;
beforeAll(async () => {
  root = await emptyFolder();
});

async function file(name: string, lines: readonly string[]): Promise<string> {
  await writeFile(join(root, name), `${lines.map((line) => line.replaceAll(' ', '\t')).join('\n')}\n`);
  return join(root, name);
}

test('import triples of three files, and says what came of them', async () => {
  const train = await file('train.txt', ['ann parent bob', 'bob parent cid', 'ann parent bob']);
  const valid = await file('valid.txt', ['ann parent cid']);
  const test = await file('test.txt', ['cid parent dot']);
  const out = join(root, 'family');
  const words = ['import', 'triples', train, valid, test, '--name', 'family', '--out', out];
  const { code, stdout } = await runCaptured(words);
  expect(code).toBe(0);
  expect(stdout).toContain('5 lines: 4 nodes, 4 edges of 2 types, 2 queries\n');
  expect(stdout).toContain(`dropped 1: the same triple again (first ${train}:3)`);
  expect(stdout).toMatch(/farther than 2 steps +2 +0 +1\nto 3 of these no way leads at all/);
  expect(await readDataFolder(out)).toMatchObject({ name: 'family', steps: 2 });
  expect(await runCaptured(words)).toMatchObject({
    code: 1,
    stderr: `flowgrad: import: expected no folder at ${out}, got one (--overwrite replaces it)\n`,
  });
  const json = await runCaptured([...words, '--overwrite', '--json', '--ask', 'both']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    name: 'family',
    examples: { train: 4, valid: 2, test: 2 },
  });
});

test('import warns of a line that looks like the names of columns', async () => {
  const lines = ['head relation tail', ...Array.from({ length: 20 }, (_, i) => `n${i} to n${(i + 1) % 20}`)];
  const words = ['import', 'triples', await file('named.txt', lines), '--out', join(root, 'named')];
  const { code, stdout } = await runCaptured(words);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`warning: ${join(root, 'named.txt')}:1: expected a triple, got`),
  ]);
});

test('import replaces no folder in which something else is, and names its own files once', async () => {
  const ring = Array.from({ length: 10 }, (_, i) => `n${i} n${(i + 1) % 10}`);
  const walks = await file('one.tsv', ring);
  const out = join(root, 'foreign');
  await mkdir(out);
  await writeFile(join(out, 'thesis.tex'), '');
  const { code, stderr } = await runCaptured(['import', 'paths', walks, '--out', out, '--overwrite']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('with thesis.tex (choose another folder')]);
  expect(stderr).toMatch(/^flowgrad: import: expected nothing but [\w., -]* in the folder to replace, /);
  const names = /nothing but (.*) in the folder/.exec(stderr)![1].split(', ');
  expect(names).toContain('edges.tsv');
  expect(new Set(names).size).toBe(names.length);
});

test('import trips and paths, split by seed', async () => {
  const ring = Array.from({ length: 10 }, (_, i) => `n${i} n${(i + 1) % 10}`);
  const edges = await file('edges.tsv', ring);
  const trips = await file('trips.tsv', [
    ...ring,
    ...ring.map((line) => line.split(' ').toReversed().join(' ')),
  ]);
  const out = (name: string): string[] => ['--out', join(root, name)];
  const split = ['--split', '0.6,0.2,0.2', '--seed', '2', '--steps', '9'];
  expect(await runCaptured(['import', 'trips', edges, trips, ...split, ...out('trips')])).toMatchObject({
    code: 0,
  });
  expect((await readDataFolder(join(root, 'trips'))).examples.test.count).toBe(4);
  const paths = await file(
    'walks.tsv',
    ring.map((line, i) => `${line} n${(i + 2) % 10}`),
  );
  expect(await runCaptured(['import', 'paths', paths, ...out('walks')])).toMatchObject({ code: 0 });
  expect(await readDataFolder(join(root, 'walks'))).toMatchObject({ name: 'walks', steps: 2 });
});

test.for<[string[], number, string]>([
  [['import', 'cars', 'x'], 2, "expected something to import among triples, trips, paths, got 'cars'"],
  [['import', 'triples', 'a', 'b'], 2, 'import: expected 1 or 3 files of triples, got 2'],
  [['import', 'paths', 'walks.tsv', '--split', '1,1,1'], 2, 'expected three parts above 0 whose sum is 1'],
  [
    ['import', 'trips', 'a', 'b', '--edges', 'c'],
    2,
    'import: expected --edges with paths, got it with trips',
  ],
  [['import', 'triples', 'nowhere.txt'], 1, 'nowhere.txt: expected a file or folder, got none'],
])('%j is told what is wrong', async ([words, code, message]) => {
  const ended = await runCaptured(words);
  expect(ended.stderr).toContain(message);
  expect(ended.code).toBe(code);
});

test('a line that is no triple is named, and nothing is written', async () => {
  const bad = await file('bad.txt', ['a r b', 'a r']);
  const { code, stderr } = await runCaptured(['import', 'triples', bad, '--out', join(root, 'none')]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${bad}:2: expected head, relation and tail`)]);
  expect(await readdir(root)).not.toContain('none');
});

test('generate writes a world as any graph', async () => {
  const out = join(root, 'grid');
  expect(await runCaptured(['generate', tinyWorld, '--layout', 'graph', '--out', out])).toMatchObject({
    code: 0,
  });
  const dataset = await readDataFolder(out);
  expect(dataset).toMatchObject({
    name: tinyWorld,
    edgeTypeNames: expect.arrayContaining(['NE']) as string[],
  });
  expect(dataset.examples.test.path).toBeDefined();
});
