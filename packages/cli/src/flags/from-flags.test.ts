import { join } from 'node:path';
import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();

describe('flags that do not fit each other are wrong usage, in their own words', () => {
  test.for([
    [
      'GGNN --keep-nodes 5',
      /--keep-nodes: expected a model whose attention can be cut, got GGNN \(that of RW-Stationary, .* can\)/,
    ],
    ['GAT-Mul --keep-edges 5 --plan dense', /--keep-edges: expected --plan = 'cone', got 'dense'/],
    ['GGNN --heads 2', /flags: expected options of GGNN among --d, --weight-decay, .*, got '--heads'/],
    ['GAT --d 8 --heads 3', /expected --heads to be a divisor of --d = 8, got 3/],
    ['GGNN --d 20000', /GiB for --d = 20000 and \d+ nodes \(make --d smaller\)/],
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
    expect(await runCaptured(['experiment', '--data', data, '--models', 'GGNN,Walker'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('experiment: --models: expected a model that takes queries') as string,
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
