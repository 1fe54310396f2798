import { memory } from '@flowgrad/tensor';
import { expect, test } from 'vitest';
import { geometricGraph, hubGraph, randomGraph } from './made-graphs.ts';
import { benchScale, scaleReport } from './scale.ts';

test.each([
  ['geometric', geometricGraph],
  ['random', randomGraph],
])('a %s graph has ten edges from every node, one of them to itself', (_name, make) => {
  const { nodeCount, edgeCount, senders, receivers } = make(400);
  expect([nodeCount, edgeCount]).toEqual([400, 4000]);
  const loops = senders.filter((sender, e) => sender === receivers[e]);
  expect([...loops].sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, node) => node));
  expect(make(400).receivers).toEqual(receivers);
});

test('a hub leads to a tenth of the nodes and back', () => {
  const { senders, receivers } = hubGraph(400);
  const fromHub = new Set(receivers.filter((_, e) => senders[e] === 0));
  const toHub = new Set(senders.filter((_, e) => receivers[e] === 0));
  for (let node = 9; node < 400; node += 10) {
    expect(fromHub.has(node) && toHub.has(node)).toBe(true);
  }
});

test('says whether steps follow their cones', () => {
  const of = (nodes: number, shortest: number, rows: number) => ({
    ...{ kind: 'geometric', nodes, edges: 10 * nodes, made: 1500 },
    ...{ shortest, median: 2 * shortest, planning: 1, rows, memory: 1e8 },
  });
  const lines = scaleReport([of(100, 10, 50), of(1000, 12, 50), of(10_000, 30, 60)]).split('\n');
  expect(lines[3].replaceAll(/ +/g, ' ')).toBe(
    'geometric 10000 100000 1.5 s 30.0 ms 60.0 ms 3.00 1.7 % 60 100 MB',
  );
  expect(lines.slice(-2)).toEqual([
    'a step on 10000 nodes against 100: 3.00 ×, wanted at most 2 ×: DOES NOT HOLD',
    'a row of it on 1000 nodes against 100: 1.20 ×, wanted at most 1.3 ×: holds',
  ]);
});

test('measures on all graphs, and frees what it made', async () => {
  const before = memory();
  const done: string[] = [];
  const report = await benchScale({ sizes: [100, 400], runs: 1, onProgress: (what) => done.push(what) });
  expect(done).toEqual(
    ['geometric', 'random', 'hubs'].flatMap((kind) => [`${kind}, 100 nodes`, `${kind}, 400 nodes`]),
  );
  expect(report.split('\n')).toHaveLength(1 + 6 + 1 + 2);
  expect(memory()).toEqual(before);
});
