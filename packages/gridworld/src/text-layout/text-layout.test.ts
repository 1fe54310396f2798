import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateDataset } from '../dataset/dataset.ts';
import { parseGroupName } from '../world/group-name.ts';
import { ceilingMetrics } from '../exact/ceiling.ts';
import { decodeTextLayout, encodeTextLayout } from './text-layout.ts';
import type { TextFile, TextLayout } from './text-layout.ts';
import { withProcess } from './with-process.ts';

const parameters = parseGroupName('LOCATION-SZ6-STP4-EDRP-STD0.5');

/** A world of four nodes in a row, 0_0 – 3_0, with three trajectories. */
const row: TextLayout = {
  'graph.txt': '0_0\tE\t1_0\n1_0\tE\t2_0\n1_0\tW\t0_0\n2_0\tE\t3_0\n2_0\tW\t1_0\n3_0\tW\t2_0\n',
  'train.txt': '7\t0_0\t2_0\n',
  'valid.txt': '3\t3_0\t3_0\n',
  'test.txt': '9\t1_0\t0_0\n',
  'trajectories.txt': '7\t0_0\t1_0\t2_0\n3\t3_0\n9\t1_0\t0_0\n',
};

describe('the text layout', () => {
  it('has one edge, pair or trajectory a line, tab-separated, nodes as x_y', () => {
    const layout = encodeTextLayout(generateDataset('LINE-SZ32-STP16-NDRP-STD0.2', { seed: 1 }));
    expect(layout['graph.txt']).toMatch(/^(\d+_\d+\t(E|NE|N|NW|W|SW|S|SE)\t\d+_\d+\n)+$/);
    for (const file of ['train.txt', 'valid.txt', 'test.txt'] as const) {
      expect(layout[file]).toMatch(/^(\d+\t\d+_\d+\t\d+_\d+\n)+$/);
    }
    expect(layout['trajectories.txt']).toMatch(/^(\d+(\t\d+_\d+)+\n)+$/);
  });

  it('reads back what was written, whatever was generated', () => {
    const seed = fc.nat(10_000);
    const drop = fc.constantFrom(0, 0.2, 0.9, 1);
    fc.assert(
      fc.property(seed, drop, drop, fc.nat(4), (s, nodeDrop, edgeDrop, steps) => {
        const dataset = generateDataset(
          { ...parameters, nodeDrop, edgeDrop, steps, rollouts: 3 },
          { seed: s },
        );
        const { map, trajectories, splits } = decodeTextLayout(encodeTextLayout(dataset), { size: 6 });
        expect({ map, trajectories, splits }).toEqual({
          map: dataset.map,
          trajectories: dataset.trajectories,
          splits: dataset.splits,
        });
      }),
    );
  });

  it('reads ids in any order, Windows line ends, and a last line without an end', () => {
    const { map, trajectories, splits } = decodeTextLayout({
      ...row,
      'graph.txt': row['graph.txt'].replaceAll('\n', '\r\n'),
      'test.txt': row['test.txt'].trimEnd(),
    });
    expect(map).toMatchObject({ size: 4, graph: { nodeCount: 4, edgeCount: 6 } });
    expect([...trajectories.sources]).toEqual([0, 3, 1]);
    expect([splits.train, splits.valid, splits.test].map((ids) => [...ids])).toEqual([[0], [1], [2]]);
  });

  it('takes edges without their reverse', () => {
    expect(
      decodeTextLayout({ ...row, 'graph.txt': row['graph.txt'].replace('3_0\tW\t2_0\n', '') }).map.graph
        .edgeCount,
    ).toBe(5);
  });

  it('takes no files for an empty world', () => {
    const empty = {
      'graph.txt': '',
      'train.txt': '',
      'valid.txt': '',
      'test.txt': '',
      'trajectories.txt': '',
    };
    expect(decodeTextLayout(empty).map).toMatchObject({ size: 1, graph: { nodeCount: 0 } });
  });

  const mistakes: [TextFile, string, string, string][] = [
    [
      'graph.txt',
      '0_0\tE\t1_0\n',
      '0_0\tE\n',
      "graph.txt:1: expected 3 tab-separated fields (sender, direction, receiver), got '0_0\tE'",
    ],
    [
      'graph.txt',
      '1_0\tE\t2_0',
      '1_0\tX\t2_0',
      "graph.txt:2: expected a direction among E, NE, N, NW, W, SW, S, SE, got 'X'",
    ],
    [
      'graph.txt',
      '1_0\tE\t2_0',
      '1_0\tN\t2_0',
      'graph.txt:2: expected N of 1_0 to lead to 1_1 (y grows to the north)',
    ],
    ['graph.txt', '1_0\tE\t2_0', '1-0\tE\t2_0', "graph.txt:2: expected a node as x_y, got '1-0'"],
    [
      'graph.txt',
      '1_0\tE\t2_0',
      '01_0\tE\t2_0',
      "graph.txt:2: expected x of a node x_y as a number, got '01'",
    ],
    [
      'graph.txt',
      '1_0\tE\t2_0',
      '0_0\tE\t1_0',
      "graph.txt:2: expected each edge once, got '0_0\tE\t1_0', also at graph.txt:1",
    ],
    [
      'graph.txt',
      '1_0\tE\t2_0\n',
      '\n',
      'graph.txt:2: expected 3 tab-separated fields (sender, direction, receiver), got an empty line',
    ],
    [
      'graph.txt',
      '2_0\tE\t3_0\n',
      '2_0\tE\t3_0\n4_0\tE\t5_0\n',
      'graph.txt:5: expected coordinates in 0..3 (size 4)',
    ],
    ['trajectories.txt', '3\t3_0', '3', "trajectories.txt:2: expected an id and at least one node, got '3'"],
    [
      'trajectories.txt',
      '3\t3_0',
      'x\t3_0',
      "trajectories.txt:2: expected a trajectory id as a number, got 'x'",
    ],
    [
      'trajectories.txt',
      '3\t3_0',
      '7\t3_0',
      'trajectories.txt:2: expected each id once, got 7, also at trajectories.txt:1',
    ],
    ['trajectories.txt', '3\t3_0', '3\t3_3', "trajectories.txt:2: expected a node of graph.txt, got '3_3'"],
    [
      'trajectories.txt',
      '1_0\t2_0',
      '3_0\t2_0',
      'trajectories.txt:1: expected an edge of graph.txt at each step, got 0_0 → 3_0',
    ],
    [
      'trajectories.txt',
      '9\t1_0\t0_0\n',
      '9\t1_0\t0_0\n4\t1_0\n',
      'trajectories.txt:4: expected trajectory 4 in one of train.txt, valid.txt, test.txt, got none',
    ],
    ['train.txt', '7\t0_0', '8\t0_0', 'train.txt:1: expected an id of trajectories.txt, got 8'],
    ['train.txt', '0_0\t2_0', '0_0\t3_0', 'train.txt:1: expected 0_0 → 2_0 (trajectory 7), got 0_0 → 3_0'],
    [
      'train.txt',
      '\n',
      '\t\n',
      'train.txt:1: expected 3 tab-separated fields (trajectory id, source, destination)',
    ],
    [
      'valid.txt',
      '3\t3_0\t3_0\n',
      '3\t3_0\t3_0\n7\t0_0\t2_0\n',
      'valid.txt:2: expected each trajectory in one line, got 7, also at train.txt:1',
    ],
  ];
  it.each(mistakes)('names the file and line of a mistake: %s, %j for %j', (file, right, wrong, message) => {
    const broken = { ...row, [file]: row[file].replace(right, wrong) };
    expect(broken[file]).not.toBe(row[file]);
    expect(() => decodeTextLayout(broken, { size: 4 })).toThrow(message);
  });

  it('names a source that is in two splits', () => {
    const trajectories = `${row['trajectories.txt']}4\t0_0\n`;
    const broken = {
      ...row,
      'trajectories.txt': trajectories,
      'test.txt': `${row['test.txt']}4\t0_0\t0_0\n`,
    };
    expect(() => decodeTextLayout(broken)).toThrow(
      'test.txt:2: expected each source in one split, got source 0_0, also in train.txt',
    );
  });
});

describe('withProcess', () => {
  it('gives data from text its ceiling back', () => {
    const dataset = generateDataset(parameters, { seed: 2 });
    const read = withProcess(decodeTextLayout(encodeTextLayout(dataset), { size: 6 }), parameters.name, 2);
    expect(ceilingMetrics(read)).toEqual(ceilingMetrics(dataset));
  });

  it('names data that the process cannot have generated', () => {
    const data = decodeTextLayout(row);
    expect(() => withProcess(data, 'LINE-SZ4-STP1-NDRP-STD0.2', 1)).toThrow(
      'trajectories.txt:1: expected at most 1 steps (LINE-SZ4-STP1-NDRP-STD0.2), got 2',
    );
    expect(() => withProcess(data, 'LINE-SZ5-STP4-NDRP-STD0.2', 1)).toThrow(
      'worldOnMap: expected a map of size 5 (LINE-SZ5-STP4-NDRP-STD0.2), got 4',
    );
  });
});
