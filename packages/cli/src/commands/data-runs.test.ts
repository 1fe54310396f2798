import { appendFile, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();
let root: string;
let data: string;
let run: string;
const train = (...words: string[]): ReturnType<typeof runCaptured> =>
  runCaptured(['train', '--device', 'wasm', '--threads', '1', ...words]);

beforeAll(async () => {
  root = await emptyFolder();
  [data, run] = [join(root, 'data'), join(root, 'runs', 'one')];
  await runCaptured(['generate', tinyWorld, '--layout', 'graph', '--out', data]);
  await cp(data, join(root, 'other'), { recursive: true });
  await appendFile(join(root, 'other', 'manifest.json'), '\n');
  const words = ['--model', 'RW-Stationary', '--d', '4', '--epochs', '2', '--data', data, '--out', run];
  expect(await train(...words)).toMatchObject({ code: 0 });
});

test('train leaves a run that says which data it is on', async () => {
  const config = JSON.parse(await readFile(join(run, 'config.json'), 'utf8')) as { group: object };
  expect(config.group).toMatchObject({ name: tinyWorld, steps: 4, queries: 0 });
  expect(config.group).toHaveProperty('sha256');
});

test.for<[string, (run: string) => string[]]>([
  ['evaluate', (run) => ['evaluate', run]],
  ['show', (run) => ['show', run]],
  ['train', (run) => ['train', '--resume', run, '--from-epoch', '0']],
])('%s wants the data that the run is on, and no other', async ([command, words]) => {
  const none = await runCaptured(words(run));
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining(`${command}: expected the dataset`)]);
  expect(none.stderr).toContain('got none (--data <folder> names it)');
  const other = await runCaptured([...words(run), '--data', join(root, 'other')]);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('whose files differ')]);
  expect(await runCaptured([...words(run), '--data', data, '--device', 'wasm'])).toMatchObject({ code: 0 });
});

test('columns of nodes.tsv are inputs beside free embeddings or in their place, and train says so', async () => {
  const known = join(root, 'known');
  await cp(data, known, { recursive: true });
  const [head, ...nodes] = (await readFile(join(known, 'nodes.tsv'), 'utf8')).trim().split('\n');
  const lines = [`${head}\theight\tcost`, ...nodes.map((line, i) => `${line}\t${i % 3}\t${i / 8}`)];
  await writeFile(join(known, 'nodes.tsv'), `${lines.join('\n')}\n`);
  const words = ['--model', 'RW-Stationary', '--d', '4', '--epochs', '1'];
  const both = await train(...words, '--data', known, '--out', join(root, 'both'));
  expect([both.code, both.stderr]).toEqual([
    0,
    expect.stringMatching(
      /^Inputs of each node: the columns height, cost of nodes\.tsv and a free embedding\nTraining /,
    ),
  ]);
  const alone = [...words, '--embeddings', 'false'];
  const columns = await train(...alone, '--data', known, '--out', join(root, 'columns'));
  expect([columns.code, columns.stderr]).toEqual([
    0,
    expect.stringMatching(/^Inputs of each node: the columns height, cost of nodes\.tsv alone\n/),
  ]);
  expect(await runCaptured(['evaluate', join(root, 'columns'), '--data', known])).toMatchObject({ code: 0 });
  const elsewhere = await runCaptured(['evaluate', join(root, 'columns'), '--data', known, '--seed', '2']);
  expect(elsewhere.stderr).toContain('expected a run on a grid world for --seed, got one on the dataset');
  const none = await train(...alone, '--data', data, '--out', join(root, 'none'));
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('train: --embeddings: expected columns beside node, x and y in nodes.tsv'),
  ]);
  const grid = [...alone.map((word) => word.replace('--model', '--models')), '--data', `${known},${data}`];
  const runs = await runCaptured(['experiment', ...grid, '--out', join(root, 'none')]);
  expect([runs.code, runs.stderr]).toEqual([
    2,
    expect.stringContaining('experiment: --embeddings: expected columns beside node, x and y in nodes.tsv'),
  ]);
  const file = join(root, 'grid.json');
  await writeFile(file, JSON.stringify({ models: ['RW-Stationary'], features: { embeddings: false } }));
  const fromFile = await runCaptured(['experiment', file, '--data', data, '--out', join(root, 'none')]);
  expect([fromFile.code, fromFile.stderr]).toEqual([
    1,
    expect.stringContaining('run: features.embeddings: expected columns beside node, x and y in nodes.tsv'),
  ]);
  expect(await readdir(root)).not.toContain('none');
});

test('a dataset is no world: nothing is said of the paper, of cells or of walkers', async () => {
  const again = await train('--resume', run, '--data', data);
  expect(again.stdout).toContain('The run is in');
  expect(again.stdout).not.toContain('The paper has no results');
  const { stdout } = await runCaptured(['evaluate', run, '--data', data, '--device', 'wasm']);
  expect(stdout).toContain('t  attention on the true path  distance from the path at t, by x and y\n');
});

test('one epoch is one epoch, and has no deviation', async () => {
  const words = ['--model', 'RW-Stationary', '--d', '4', '--epochs', '1', '--group', tinyWorld];
  const { stdout, stderr } = await train(...words, '--out', join(root, 'one-epoch'));
  expect(stderr).toMatch(/: 1 epoch; wasm/);
  expect(stdout).toMatch(/test split: after its one epoch\n/);
  expect(stdout).not.toContain('±');
  expect(stdout).toContain('The paper has no results of this model on this world.');
  const two = await train('--resume', run, '--data', data);
  expect(two.stdout).toMatch(/test split: mean ± deviation of the two epochs\n/);
});

test('show names the nodes that have most attention', async () => {
  const { stdout } = await runCaptured(['show', run, '--data', data, '--source', '3', '--step', '0']);
  expect(stdout).toContain('from 3\n\nattention at t = 0\n  1.000  3\n');
  const { code, stderr } = await runCaptured(['show', run, '--data', data, '--source', 'x']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('expected --source as a node in 0..31')]);
});

test('show draws the attended part of the graph, at all times or at one', async () => {
  const [svg, png, steps] = ['a.svg', 'a.png', 'steps'].map((name) => join(root, name));
  const words = ['show', run, '--data', data, '--source', '3', '--device', 'wasm'];
  expect(await runCaptured([...words, '--format', 'svg', '--out', svg])).toMatchObject({
    code: 0,
    stdout: `A picture in ${svg}\n`,
  });
  const picture = await readFile(svg, 'utf8');
  expect(picture).toMatch(/^<svg [^]*<\/svg>\n$/);
  expect(picture).toContain(', from 3: most attention at t = 0 … 4<');
  expect(picture).toContain('<title>3: 100 %</title>');
  await runCaptured([...words, '--format', 'png', '--out', png]);
  expect((await readFile(png)).subarray(0, 4).toString('latin1')).toBe('\x89PNG');
  await runCaptured([...words, '--format', 'svg', '--all', '--out', steps]);
  expect(await readdir(steps)).toHaveLength(5);
  // After the first step it has gone on.
  expect(await readFile(join(steps, 'step-01.svg'), 'utf8')).not.toContain('<title>3: 100 %</title>');
  const late = await runCaptured([...words, '--format', 'svg', '--step', '9']);
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('expected --step in 0..4, got 9')]);
});

test('show has no picture of a network without flow on a dataset', async () => {
  const regular = join(root, 'regular');
  const words = ['--model', 'GGNN', '--d', '4', '--epochs', '1', '--data', data, '--out', regular];
  expect(await train(...words)).toMatchObject({ code: 0 });
  const { code, stderr } = await runCaptured(['show', regular, '--data', data, '--format', 'svg']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('expected --format terminal for a regular')]);
});

test('stats tell what is in a folder', async () => {
  const { stdout } = await runCaptured(['stats', '--data', data]);
  expect(stdout).toContain(`${tinyWorld}: 32 nodes, `);
  expect(stdout).toMatch(/train +\d+ +\d+ +\d\.\d\d +0\n/);
});

test('report takes runs on the data alone', async () => {
  const { code, stdout } = await runCaptured(['report', join(root, 'runs'), '--data', data]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(tinyWorld)]);
  const other = await runCaptured(['report', join(root, 'runs'), '--data', join(root, 'other')]);
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('whose files differ')]);
  const page = join(root, 'report.html');
  expect(await runCaptured(['report', join(root, 'runs'), '--out', page])).toMatchObject({ code: 0 });
  const html = await readFile(page, 'utf8');
  expect(html).toContain('flowgrad train --data');
  expect(html.match(/<svg class="graph"/g)).toHaveLength(3);
});

test.for<[string[], string]>([
  [
    ['train', '--group', tinyWorld, '--data', 'DATA', '--model', 'GGNN'],
    'train: expected --group or --data, got both',
  ],
  [['evaluate', 'RUN', '--data', 'nowhere'], 'manifest.json: expected a file, got none'],
])('%j is refused', async ([words, message]) => {
  const { code, stderr } = await runCaptured(words.map((word) => ({ RUN: run, DATA: data })[word] ?? word));
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
});

test('a knowledge graph is asked by name', async () => {
  const names = ['ann', 'bob', 'cid', 'dot', 'eve'];
  const lines = names.flatMap((name, i) => [
    `${name}\tnext\t${names[(i + 1) % 5]}`,
    `${name}\tafter\t${names[(i + 2) % 5]}`,
  ]);
  const [triples, folder, out] = ['triples.txt', 'family', 'asked'].map((name) => join(root, name));
  await writeFile(triples, `${lines.join('\n')}\n`);
  expect(await runCaptured(['import', 'triples', triples, '--out', folder, '--steps', '3'])).toMatchObject({
    code: 0,
  });
  const words = ['--model', 'RW-Stationary', '--d', '4', '--epochs', '1', '--data', folder, '--out', out];
  expect(await train(...words)).toMatchObject({ code: 0 });
  const shown = await runCaptured(['show', out, '--data', folder, '--source', 'bob', '--query', 'next']);
  expect(shown.stdout).toMatch(
    / on triples, from bob, asked for next\n\nmost attention at t = 0 … 3\n {2}1\.000 {2}bob\n/,
  );
  const { attended } = JSON.parse(await readFile(join(out, 'attention.json'), 'utf8')) as {
    attended: { query: string; nodes: { name: string }[] }[];
  };
  expect(new Set(attended.map(({ query }) => query)).size).toBe(attended.length);
  expect(names).toContain(attended[0].nodes[0].name);
  const unknown = await runCaptured(['show', out, '--data', folder, '--source', 'bob', '--query', 'nxt']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean next')]);
  const pruned = join(root, 'pruned');
  const kept = words.map((word) => (word === out ? pruned : word));
  expect(await train(...kept, '--keep-nodes', '1', '--keep-edges', '1')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/, \d+\.\d % of attention cut, /) as string,
  });
  const { stdout } = await runCaptured(['evaluate', pruned, '--data', folder]);
  expect(stdout).toMatch(/A question has attention on [2-8]0\.00 % of the nodes, in the mean\.\n/);
  const { code, stderr } = await train('--model', 'GGNN', '--data', folder);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('expected a model that takes queries for triples'),
  ]);
});
