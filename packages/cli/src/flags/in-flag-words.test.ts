import { join } from 'node:path';
import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { inFlagWords } from './in-flag-words.ts';

const emptyFolder = temporaryFolders();

test.for([
  ["keepNodes: expected plan = 'cone', got 'dense'", "--keep-nodes: expected --plan = 'cone', got 'dense'"],
  [
    'expected options.heads to be a divisor of options.d = 8, got 3',
    'expected --heads to be a divisor of --d = 8, got 3',
  ],
  [
    'expected a batch that takes at most 4 GiB, got 9 GiB for batch = 16 with 9 nodes (make batch smaller)',
    'expected a batch that takes at most 4 GiB, got 9 GiB for --batch = 16 with 9 nodes (make --batch smaller)',
  ],
  [
    "options: expected options of GGNN among d, weightDecay, got 'head' (did you mean heads?)",
    "expected flags of GGNN among --d, --weight-decay, got 'head' (did you mean --heads?)",
  ],
  ['features.frequencies: expected a grid world', '--features: expected a grid world'],
])('"%s" reads "%s"', ([library, commandLine]) => {
  expect(inFlagWords(library)).toBe(commandLine);
});

describe('flags that do not fit each other are wrong usage, in their own words', () => {
  test.for([
    [
      'GGNN --keep-nodes 5',
      /--keep-nodes: expected a model whose attention can be cut, got GGNN \(that of RW-Stationary, .* can\)/,
    ],
    ['GAT-Mul --keep-edges 5 --plan dense', /--keep-edges: expected --plan = 'cone', got 'dense'/],
    ['GGNN --heads 2', /expected flags of GGNN among --d, --weight-decay, .*, got '--heads'/],
    ['GAT --d 8 --heads 3', /expected --heads to be a divisor of --d = 8, got 3/],
  ] as const)('train --model %s', async ([words, message]) => {
    const root = await emptyFolder();
    const line = ['train', '--group', tinyWorld, '--model', ...words.split(' '), '--out', join(root, 'run')];
    const { code, stderr } = await runCaptured(line);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^flowgrad: train: /);
    expect(code).toBe(2);
    expect(await readdir(root)).toEqual([]);
  });

  test('on a dataset', async () => {
    const root = await emptyFolder();
    const [triples, data] = [join(root, 'triples.txt'), join(root, 'asks')];
    const names = ['ann', 'bob', 'cid', 'dot', 'eve', 'fay', 'gil', 'hal', 'ida', 'joe'];
    const lines = names.map((name, i) => `${name}\tnext\t${names[(i + 1) % names.length]}\n`);
    await writeFile(triples, lines.join(''));
    expect(await runCaptured(['import', 'triples', triples, '--out', data])).toMatchObject({ code: 0 });
    expect(await runCaptured(['train', '--data', data, '--model', 'Walker'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /train: --model: expected a model that takes queries for triples, got Walker \(RW-Stationary, .* do\)/,
      ) as string,
    });
    const words = ['train', '--data', data, '--model', 'RW-Stationary', '--waves', '2'];
    expect(await runCaptured(words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'train: --waves: expected a grid world, whose nodes have coordinates, got the dataset triples ' +
          '(features of its nodes are the columns of nodes.tsv beside node, x and y)',
      ) as string,
    });
  });
});
