import { describe, expect, it } from 'vitest';
import { SPLIT_NAMES } from '../dataset.ts';
import { readFiles } from '../folder/folder.cases.ts';
import { findUnreachable } from '../folder/expect-ways.ts';
import { writeDataset } from '../folder/write-dataset.ts';
import { trueDestinations } from '../true-destinations.ts';
import type { ImportedFile } from './imported.ts';
import { importPaths, importTrips } from './journeys.ts';
import { importTriples } from './triples.ts';

const file = (name: string, lines: readonly string[]): ImportedFile => ({
  name,
  chunks: [Buffer.from(`${lines.map((line) => line.replaceAll(' ', '\t')).join('\n')}\n`)],
});
const options = { name: 'x', steps: 2 };

describe('triples', () => {
  const files = [
    file('train.txt', ['ann parent bob', 'bob parent cid', 'ann parent bob', '', 'cid friend dot']),
    file('valid.txt', ['ann parent cid']),
    file('test.txt', ['dot friend ann', 'bob friend eve']),
  ];

  it('of three files: edges of train and their inverses, the relation as the query', async () => {
    const { dataset, summary } = await importTriples(files, options);
    expect(dataset.nodeNames).toEqual(['ann', 'bob', 'cid', 'dot', 'eve']);
    expect(dataset.edgeTypeNames).toEqual(['parent', 'friend', 'parent^-1', 'friend^-1']);
    const { senders, edgeTypes, receivers } = dataset.graph;
    const edges = Array.from(senders, (sender, e) => [sender, edgeTypes[e], receivers[e]].join(' '));
    expect(edges).toEqual(['0 0 1', '1 0 2', '2 1 3', '1 2 0', '2 2 1', '3 3 2']);
    expect([...dataset.examples.test.queries!]).toEqual([1, 1]);
    expect(dataset.examples.train.hiddenEdges!(0)).toEqual([0, 3]);
    expect(summary).toEqual({
      lines: 8,
      dropped: [
        { why: 'the same triple again', count: 1, first: 'train.txt:3' },
        { why: 'empty', count: 1, first: 'train.txt:4' },
      ],
      warnings: [],
      ...{ nodes: 5, edges: 6, edgeTypes: 4, queries: 4 },
      examples: { train: 3, valid: 1, test: 2 },
      // In training the asked edge is hidden, and no triple of train has another way.
      unreachable: { train: 3, valid: 0, test: 2 },
      noWay: 4,
    });
  });

  // ann → bob has the way by cid when its own edge is hidden, cid friend bob that by ann; eve likes dot has none.
  const ways = [
    file('train.txt', [
      'ann parent bob',
      'ann parent cid',
      'cid friend bob',
      'eve likes dot',
      'eve likes ann',
    ]),
    file('valid.txt', ['bob friend ann']),
    file('test.txt', ['eve likes bob']),
  ];

  it('count in train what no model can learn, as the asked edge and its inverse are hidden there', async () => {
    const { dataset, summary } = await importTriples(ways, options);
    expect(summary.unreachable).toEqual({ train: 2, valid: 0, test: 0 });
    const found: number[] = [];
    findUnreachable(dataset.graph, 2, dataset.examples, ({ example }) => found.push(example));
    expect(found).toEqual([3, 4]);
    // On the graph as it is there are ways: a folder says nothing of them, and is read again.
    expect(writeDataset(dataset)['manifest.json']).not.toContain('unreachable');
  });

  it('dropped from train stay edges, and true for the filtered ranking', async () => {
    const { dataset, summary } = await importTriples(ways, { ...options, unreachable: 'dropped' });
    expect(summary.examples.train).toBe(3);
    expect(dataset.graph.edgeCount).toBe(10);
    const again = await readFiles(writeDataset(dataset));
    for (const { nodeNames, queryNames, ...each } of [dataset, again]) {
      const asked = [nodeNames!.indexOf('eve'), queryNames!.indexOf('likes')] as const;
      const names = Array.from(trueDestinations(each)(...asked), (node) => nodeNames![node]);
      expect(names.sort()).toEqual(['ann', 'bob', 'dot']);
    }
  });

  it.each(['head relation tail', 'Subject PREDICATE object'])(
    'are imported with the line %j, and a warning of it',
    async (header) => {
      const lines = [[header, 'a r b'], [header, 'b r c'], ['a r c']];
      const named = lines.map((each, i) => file(`${i}.txt`, each));
      const { dataset, summary } = await importTriples(named, options);
      expect(summary.warnings).toEqual([
        '0.txt:1, 1.txt:1: expected a triple, got what looks like the names of columns; it was imported as a triple ' +
          '(if it is none, delete the line and import again)',
      ]);
      expect(dataset.nodeNames).toContain(header.split(' ')[0]);
    },
  );

  it('ask for heads too, by the inverse', async () => {
    const { examples } = (await importTriples(files, { ...options, ask: 'both' })).dataset;
    expect([...examples.valid.sources]).toEqual([0, 2]);
    expect([...examples.valid.destinations]).toEqual([2, 0]);
    expect([...examples.valid.queries!]).toEqual([0, 2]);
    expect(examples.train.hiddenEdges!(1)).toEqual([3, 0]);
  });

  it('leave out what is out of reach, if that is wanted', async () => {
    // By another relation ann and bob know each other when the one that is asked for is hidden.
    const train = [
      'ann parent bob',
      'bob parent cid',
      'ann parent bob',
      '',
      'cid friend dot',
      'ann likes bob',
    ];
    const more = [
      file('train.txt', train),
      files[1],
      file('test.txt', ['dot friend ann', 'ann parent bob', 'bob friend ann']),
    ];
    const { dataset, summary } = await importTriples(more, { ...options, unreachable: 'dropped' });
    expect([...dataset.examples.test.sources]).toEqual([1]);
    expect(summary.unreachable.test).toBe(1);
    expect(summary.examples).toEqual({ train: 2, valid: 1, test: 1 });
    // What was true in train is no question of test.
    expect(summary.dropped).toEqual([
      { why: 'the same triple again', count: 1, first: 'train.txt:3' },
      { why: 'empty', count: 1, first: 'train.txt:4' },
      { why: 'a triple of train.txt again', count: 1, first: 'test.txt:2' },
      {
        why: 'a destination farther than 2 steps without the edge that is asked for',
        ...{ count: 2, first: 'train.txt:2' },
      },
      { why: 'a destination farther than 2 steps', count: 1, first: 'test.txt:1' },
    ]);
  });

  it('come back from the folder that is written of them', async () => {
    const { dataset } = await importTriples(files, options);
    const again = await readFiles(writeDataset(dataset));
    expect(writeDataset(again)).toEqual(writeDataset(dataset));
    expect(again.queryNames).toEqual(dataset.queryNames);
    expect(again.examples.train.hiddenEdges!(0)).toEqual([0, 3]);
  });

  it.each([
    [['a b'], "train.txt:1: expected head, relation and tail, separated by tabs, got 'a\\tb'"],
    [['a  b'], 'train.txt:1: expected head, relation and tail'],
    [['a r b', 'a r^-1 b'], "train.txt:2: expected a relation that does not end as inverses do, got 'r^-1'"],
    [
      ['a r b', 'a r b'],
      'import: expected examples in each part, got none in valid (train.txt has 2 lines; dropped 1: the same triple ' +
        'again, first train.txt:2; 1 in train, 0 in valid, 0 in test are left; give more lines, or another split)',
    ],
    [
      [],
      'import: expected examples in each part, got none in train (train.txt has 1 line; dropped 1: empty,',
    ],
  ])('%j are refused', async (lines, message) => {
    await expect(importTriples([file('train.txt', lines)], options)).rejects.toThrow(message);
  });
});

describe('a part without examples', () => {
  const train = file('train.txt', ['ann parent bob', 'bob parent cid', 'cid friend dot', 'ann friend bob']);
  const test = file('test.txt', ['ann parent cid']);

  it.each<[ImportedFile, object, string]>([
    [{ name: 'valid.txt', chunks: [] }, {}, 'valid.txt is empty; 4 in train, 0 in valid, 1 in test are left'],
    [
      file('valid.txt', ['bob parent cid', '', 'cid friend dot']),
      {},
      'valid.txt has 3 lines; dropped 2: a triple of train.txt again, first valid.txt:1; dropped 1: empty, first valid.txt:2; 4',
    ],
    [
      file('valid.txt', ['ann friend dot']),
      { unreachable: 'dropped' },
      'valid.txt has 1 line; dropped 1: a destination farther than 2 steps, first valid.txt:1; 2 in train, 0 in valid,',
    ],
  ])('is an error that tells what came of its file: %j', async (valid, more, account) => {
    await expect(importTriples([train, valid, test], { ...options, ...more })).rejects.toThrow(
      `import: expected examples in each part, got none in valid (${account}`,
    );
  });

  it('of a file that is split is one that tells what came of all files', async () => {
    const read = importTrips(file('edges', ['a b', 'b c']), file('trips', ['a b', 'a x']), options);
    await expect(read).rejects.toThrow(
      'none in valid (edges has 2 lines; trips has 2 lines; dropped 1: a place without an edge, first trips:2; 1 in train,',
    );
  });
});

const ring = Array.from({ length: 20 }, (_, i) => `n${i} to n${(i + 1) % 20}`);

describe('trips', () => {
  const trips = Array.from({ length: 100 }, (_, i) => `n${i % 20} n${(i + 1 + (i % 3)) % 20} q${i % 2}`);

  it('are split by seed, the same ends and question into one part', async () => {
    const read = (seed: number) =>
      importTrips(file('edges', ring), file('trips', trips), { ...options, seed, split: [0.6, 0.2, 0.2] });
    const { dataset, summary } = await read(1);
    expect(summary.lines).toBe(120);
    const { train, valid, test } = summary.examples;
    expect(train + valid + test).toBe(100);
    expect(Math.abs(train - 60)).toBeLessThan(5);
    const keys = SPLIT_NAMES.map((split) => {
      const { sources, destinations, queries } = dataset.examples[split];
      return new Set(Array.from(sources, (source, i) => `${source} ${destinations[i]} ${queries![i]}`));
    });
    expect(new Set(keys.flatMap((set) => [...set])).size).toBe(keys.reduce((sum, { size }) => sum + size, 0));
    expect((await read(1)).dataset.examples.test.sources).toEqual(dataset.examples.test.sources);
    expect((await read(2)).dataset.examples.test.sources).not.toEqual(dataset.examples.test.sources);
    // A third of the trips has three steps.
    const { unreachable } = summary;
    expect(unreachable.train + unreachable.valid + unreachable.test).toBe(33);
  });

  it('from or to a place without an edge are dropped, and counted', async () => {
    const { summary } = await importTrips(
      file('edges', ring),
      file('trips', [...trips, 'n1 n99 q1']),
      options,
    );
    expect(summary.dropped).toEqual([{ why: 'a place without an edge', count: 1, first: 'trips:101' }]);
  });

  it('need parts that make a whole', async () => {
    const read = importTrips(file('edges', ring), file('trips', trips), { ...options, split: [1, 1, 1] });
    await expect(read).rejects.toThrow('expected three parts above 0 whose sum is 1, got 1, 1, 1');
  });
});

describe('paths', () => {
  const walks = Array.from({ length: 20 }, (_, i) =>
    Array.from({ length: 2 + (i % 3) }, (_, k) => `n${(i + k) % 20}`).join(' '),
  );

  it('make the graph of their steps, and take as many as the longest', async () => {
    const { dataset, summary } = await importPaths(file('walks', [...walks, 'n1']), { name: 'walks' });
    expect([dataset.steps, summary.nodes, summary.edges]).toEqual([3, 20, 20]);
    expect(summary.dropped).toEqual([{ why: 'a path of one node', count: 1, first: 'walks:21' }]);
    const { sources, destinations, path } = dataset.examples.train;
    expect([path!(0)[0], path!(0).at(-1)]).toEqual([sources[0], destinations[0]]);
    const again = await readFiles(writeDataset(dataset));
    expect(again.examples.train.path!(3)).toEqual(path!(3));
  });

  it('along steps that are no edges are dropped', async () => {
    const { summary } = await importPaths(file('walks', [...walks, 'n1 n3']), {
      ...{ name: 'walks', steps: 4 },
      edges: file('edges', ring),
    });
    expect(summary.dropped).toEqual([{ why: 'a step that is no edge', count: 1, first: 'walks:21' }]);
    expect(summary.edgeTypes).toBe(1);
  });
});
