import { createGraph } from '@flowgrad/graph';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '../dataset.ts';
import { family, manifest, readFiles } from './folder.cases.ts';
import type { Files } from './folder.cases.ts';
import { writeDataset } from './write-dataset.ts';

const withFile = (file: keyof typeof family, content: string | Uint8Array): Files => ({
  ...family,
  [file]: content,
});
const withManifest = (more: object): Files =>
  withFile('manifest.json', JSON.stringify({ ...manifest, ...more }));
const withoutNodes = (edges: string): Files => ({
  'manifest.json': JSON.stringify(manifest),
  'edges.tsv': edges,
  'examples.tsv': 'split\tsource\tdestination\ntrain\ta\tb\nvalid\ta\tb\ntest\ta\tb\n',
});

/** What can be compared: functions are called. */
const plain = ({ examples, graph, ...rest }: Dataset): object => ({
  ...rest,
  edges: [graph.senders, graph.receivers, graph.edgeTypes, graph.nodeCount, graph.edgeTypeCount],
  examples: Object.entries(examples).map(([split, { path, hiddenEdges, ...part }]) => ({
    split,
    ...part,
    paths: path && Array.from(part.sources, (_, i) => path(i)),
    hidden: hiddenEdges && Array.from(part.sources, (_, i) => hiddenEdges(i)),
  })),
});

describe('a dataset folder', () => {
  it('has all that its files say', async () => {
    const dataset = await readFiles(family);
    expect(dataset).toMatchObject({ name: 'family', steps: 2, nodeNames: ['ann', 'bob', 'cid', 'dot'] });
    expect(dataset.edgeTypeNames).toEqual(['parent', 'parent^-1', 'friend']);
    expect(dataset.queryNames).toEqual(dataset.edgeTypeNames);
    expect([...dataset.graph.receivers]).toEqual([1, 0, 2, 3, 2]);
    expect([...dataset.examples.train.destinations]).toEqual([1, 2]);
    expect([...dataset.examples.train.queries!]).toEqual([0, 0]);
    expect([...dataset.examples.valid.path!(0)]).toEqual([1, 2, 3]);
    expect(dataset.positions!.y).toEqual([0, 0, 0.5, 3]);
    expect(dataset.features).toEqual({ width: 1, values: Float32Array.of(61, 35, 9, 8) });
    expect([...dataset.alsoTrue!.destinations]).toEqual([3]);
  });

  it('hides the edge that a training example asks for, and its inverse', async () => {
    const { train, test } = (await readFiles(family)).examples;
    expect(train.hiddenEdges!(0)).toEqual([0, 1]);
    expect(train.hiddenEdges!(1)).toEqual([]);
    expect(test.hiddenEdges).toBeUndefined();
  });

  it.each([1, 2, 7, 1000])(
    'is the same in pieces of %i bytes, with Windows line ends and a mark',
    async (piece) => {
      const files = Object.fromEntries(
        Object.entries(family).map(([name, text]) => [
          name,
          `\ufeff${text.replaceAll('\n', '\r\n').replaceAll('ann', 'änn 世界')}`,
        ]),
      );
      const { nodeNames, ...rest } = plain(await readFiles(files, piece)) as Dataset;
      const { nodeNames: _, ...expected } = plain(await readFiles(family)) as Dataset;
      expect(nodeNames![0]).toBe('änn 世界');
      expect(rest).toEqual(expected);
    },
  );

  it('comes back from what is written of it, names and numbers alike', async () => {
    const dataset = await readFiles(family);
    expect(plain(await readFiles(writeDataset(dataset)))).toEqual(plain(dataset));
    const examples = { count: 1, sources: Int32Array.of(1), destinations: Int32Array.of(0) };
    const numbered: Dataset = {
      ...{ name: 'numbers', steps: 3 },
      graph: createGraph({ nodeCount: 3, senders: [1, 2], receivers: [2, 1], edgeTypes: [1, 0] }),
      examples: { train: examples, valid: examples, test: examples },
    };
    const files = writeDataset(numbered);
    expect(Object.keys(files)).toEqual(['manifest.json', 'edges.tsv', 'examples.tsv']);
    // 0 cannot be reached, which is said in the manifest.
    expect(files['manifest.json']).toContain('"unreachable": "kept"');
    expect(plain(await readFiles(files))).toEqual(plain(numbered));
  });

  it('takes names from the edges where no list of nodes is there', async () => {
    const dataset = await readFiles(withoutNodes('receiver\tsender\nb\ta\nc\tb\n'));
    expect([dataset.nodeNames, dataset.edgeTypeNames]).toEqual([['a', 'b', 'c'], []]);
    expect([dataset.graph.edgeTypeCount, ...dataset.graph.senders]).toEqual([1, 0, 1]);
  });
});

const edges = family['edges.tsv'];
const examples = family['examples.tsv'];

describe('a mistake is told with file and line', () => {
  it.each<[string, Files, string]>([
    [
      'no manifest',
      { ...family, 'manifest.json': undefined as never },
      'manifest.json: expected a file, got none',
    ],
    ['no JSON', withFile('manifest.json', '{'), 'manifest.json: expected JSON, got'],
    ['another version', withManifest({ version: 2 }), 'manifest.json: expected version to be 1, got 2'],
    [
      'no steps',
      withManifest({ steps: undefined }),
      'manifest.json: expected steps to be an integer in 1..1024',
    ],
    ['an unknown entry', withManifest({ step: 2 }), 'manifest.json: expected options among'],
    [
      'a grid world',
      withManifest({ format: 'flowgrad-gridworld-dataset' }),
      'a grid world, which has a group',
    ],
    [
      'a list with one name twice',
      withManifest({ queries: ['a', 'a'] }),
      'queries to be a number in 1..65536 or a list',
    ],
    [
      'an unknown node',
      withFile('edges.tsv', edges.replace('\tcid', '\teve')),
      "edges.tsv:4: expected a node of nodes.tsv, got 'eve'",
    ],
    [
      'an edge to nowhere',
      withFile('edges.tsv', edges.replace('\tcid', '\t')),
      "edges.tsv:4: expected a node of nodes.tsv, got ''",
    ],
    [
      'a duplicate edge',
      withFile('edges.tsv', `${edges}ann\tparent\tbob\n`),
      'edges.tsv:7: expected each edge once, got the edge of line 2 again',
    ],
    [
      'too few fields',
      withFile('edges.tsv', edges.replace('\tparent\tcid', '\tcid')),
      "edges.tsv:4: expected 3 tab-separated fields, as many as its first line has, got 2 in 'bob\\tcid'",
    ],
    [
      'an empty line',
      withFile('edges.tsv', `${edges}\n`),
      'edges.tsv:7: expected 3 tab-separated fields, as many as its first line has, got an empty line',
    ],
    [
      'other columns',
      withFile('edges.tsv', edges.replace('sender', 'head')),
      'edges.tsv:1: expected the columns sender, receiver; perhaps type, each once',
    ],
    ['an empty file', withFile('edges.tsv', ''), 'edges.tsv:1: expected a line with the columns'],
    [
      'no position',
      withFile('nodes.tsv', 'node\tx\ty\nann\t1\tnorth\n'),
      "nodes.tsv:2: expected y as a number, got 'north'",
    ],
    [
      'half a position',
      withFile('nodes.tsv', 'node\tx\nann\t1\n'),
      'nodes.tsv:1: expected both x and y, or neither',
    ],
    [
      'a node twice',
      withFile('nodes.tsv', 'node\nann\nbob\nann\n'),
      "nodes.tsv:4: expected each node once, got 'ann' of line 2 again",
    ],
    [
      'an unknown split',
      withFile('examples.tsv', examples.replace('valid', 'dev')),
      "examples.tsv:4: expected split among train, valid, test, got 'dev'",
    ],
    [
      'an empty split',
      withFile('examples.tsv', examples.replace('valid', 'test')),
      'examples.tsv: expected an example of valid, got none',
    ],
    [
      'an example of an unknown node',
      withFile('examples.tsv', examples.replace('test\tdot', 'test\teve')),
      "examples.tsv:5: expected a node of nodes.tsv, got 'eve'",
    ],
    [
      'an unknown query',
      withFile('examples.tsv', examples.replace('friend', 'foe')),
      "examples.tsv:4: expected an edge type of edges.tsv, got 'foe'",
    ],
    [
      'a path that jumps',
      withFile('examples.tsv', examples.replace('bob\tcid\tdot', 'bob\tdot')),
      "examples.tsv:4: expected a path along edges, got 'bob' → 'dot', where there is none",
    ],
    [
      'a path to elsewhere',
      withFile('examples.tsv', examples.replace('ann\tbob\tcid', 'ann\tbob')),
      'examples.tsv:3: expected a path from source to destination',
    ],
    [
      'a path of the source alone',
      withFile('examples.tsv', examples.replace('ann\tbob\tcid', 'ann')),
      'examples.tsv:3: expected a path from source to destination, got its source alone',
    ],
    [
      'an example without a way',
      withoutNodes('sender\treceiver\nb\ta\n'),
      "examples.tsv:2: expected a destination within 2 steps of 'a', got 'b', where no way leads",
    ],
    [
      'a way that is too long',
      withoutNodes('sender\treceiver\na\tx\nx\ty\ny\tb\n'),
      "got 'b', 3 steps away (more steps;",
    ],
    [
      'names beside numbers',
      withoutNodes('sender\treceiver\na\tb\nb\t17\n'),
      "edges.tsv:3: expected all nodes as names or all as numbers, got '17' beside 'a'",
    ],
    ['no edges', withoutNodes('sender\treceiver\n'), 'edges.tsv: expected at least one edge, got none'],
    [
      'far more nodes than edges',
      {
        ...withoutNodes('sender\treceiver\n0\t1\n'),
        'manifest.json': JSON.stringify({ ...manifest, nodes: 2 ** 31 - 1 }),
      },
      'manifest.json: expected at most 1088 nodes, 64 for each edge, got 2147483647 for 1 edges',
    ],
    [
      'a name among numbers',
      {
        ...withoutNodes('sender\treceiver\n0\t1\n1\tb\n'),
        'manifest.json': JSON.stringify({ ...manifest, nodes: 2 }),
      },
      "edges.tsv:3: expected a node as a number in 0..1, got 'b' (manifest.json has nodes: 2",
    ],
    [
      'a number that is too large',
      {
        ...withoutNodes('sender\treceiver\n0\t2\n'),
        'manifest.json': JSON.stringify({ ...manifest, nodes: 2 }),
      },
      "edges.tsv:2: expected a node as a number in 0..1, got '2'",
    ],
    [
      'a NUL byte',
      withFile('edges.tsv', edges.replace('cid', 'c\0d')),
      'edges.tsv:4: expected text as UTF-8, got a NUL byte (UTF-16 has them)',
    ],
    [
      'UTF-16',
      withFile('edges.tsv', Buffer.from(`\ufeff${edges}`, 'utf16le')),
      'edges.tsv:1: expected text as UTF-8, got a NUL byte (UTF-16 has them)',
    ],
    [
      'Latin-1',
      withFile('edges.tsv', Buffer.from(edges.replace('cid', 'cäd'), 'latin1')),
      'edges.tsv:4: expected text as UTF-8, got other bytes',
    ],
    [
      'a cut character',
      withFile('edges.tsv', Buffer.from(`${edges}ä`).subarray(0, -1)),
      'edges.tsv:7: expected text as UTF-8',
    ],
    [
      'a query that is missing',
      withFile('true.tsv', 'source\tdestination\nann\tdot\n'),
      'true.tsv:1: expected the columns source, destination, query',
    ],
  ])('%s', async (_, files, message) => {
    await expect(readFiles(files)).rejects.toThrow(message);
    await expect(readFiles(files, 3)).rejects.toThrow(message);
  });

  it('a line of 100 MB, before it is read', async () => {
    const zeros = new Uint8Array(1 << 16).fill(48);
    let pieces = 0;
    const { readDataset } = await import('./read-dataset.ts');
    const endless = function* (): Generator<Uint8Array> {
      for (; pieces < 1600; pieces++) yield zeros;
    };
    const read = readDataset((file) => {
      if (file === 'edges.tsv') return endless();
      return file === 'manifest.json' ? [Buffer.from(JSON.stringify(manifest))] : undefined;
    });
    await expect(read).rejects.toThrow(
      'edges.tsv:1: expected a line of at most 1048576 characters, got more',
    );
    expect(pieces).toBeLessThan(20);
  });
});
