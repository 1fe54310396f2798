import { memory } from '@flowgrad/tensor';
import { expect, test } from 'vitest';
import { geometricGraph, hubGraph, randomGraph } from './made-graphs.ts';
import { scaleDrawing } from './scale-drawing.ts';
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
  const of = (name: string, nodes: number, shortest: number, rows: number) => ({
    ...{ name, nodes, edges: 10 * nodes, made: 1500 },
    ...{ shortest, median: 2 * shortest, planning: 0.5 / shortest, again: 0.4 / shortest, rows, memory: 1e8 },
  });
  const kept = [of('random, kept', 100, 10, 50), of('random, kept', 10_000, 15, 60)];
  const figures = [
    ...[of('geometric', 100, 10, 50), of('geometric', 1000, 12, 50), of('geometric', 10_000, 30, 60)],
    ...kept.map((each) => ({ ...each, following: 0.25 })),
  ];
  const small = figures.map((each) => ({ ...each, nodes: each.nodes / 10 }));
  const lines = scaleReport(small).split('\n');
  expect(lines[3].replaceAll(/ +/g, ' ')).toBe(
    'geometric 1000 100000 1.5 s 30.0 ms 60.0 ms 3.00 1.7 % 1.3 % 60 100 MB',
  );
  expect(lines[4].replaceAll(/ +/g, ' ')).toContain('5.0 % 4.0 % 25.0 % 50');
  expect(lines.slice(-7)).toEqual([
    'a step on 1000 nodes against 10: 3.00 ×, wanted at most 2 ×: DOES NOT HOLD',
    'a row of it on 100 nodes against 10: 1.20 ×, wanted at most 1.3 ×: holds',
    'a step that keeps some on 1000 nodes against 10: 1.50 ×, wanted at most 2 ×: holds',
    'memory on 1000 nodes, of geometric graphs: 100 MB, wanted at most 500 MB: holds',
    'planning of a batch, of its step: 5.0 %, wanted at most 5 %: holds',
    'planning of it in later epochs: 4.0 %, wanted at most 5 %: holds',
    'planning of a batch that keeps some: 5.0 %, wanted at most 5 %: holds',
  ]);
  // Smaller graphs than 10,000 nodes are left out of the verdicts where there are larger ones.
  const large = figures.map((each) => ({ ...each, nodes: each.nodes * 10 }));
  expect(scaleReport(large).split('\n').at(-7)).toContain('a step on 100000 nodes against 10000: 2.50 ×');
});

test('measures on all graphs, and frees what it made', async () => {
  const before = memory();
  const done: string[] = [];
  const figures = await benchScale({ sizes: [100, 400], runs: 0.1, onProgress: (what) => done.push(what) });
  expect(done).toEqual(
    ['geometric, dense', 'geometric', 'random', 'hubs', 'random, kept', 'hubs, kept'].flatMap((name) => [
      `${name}, 100 nodes`,
      `${name}, 400 nodes`,
    ]),
  );
  expect(scaleReport(figures).split('\n')).toHaveLength(1 + 12 + 1 + 7);
  expect(scaleDrawing(figures).match(/<circle/g)).toHaveLength(3 * 2);
  expect(memory()).toEqual(before);
});

test('draws ten times as much one step higher, and ten times as many nodes one step to the right', () => {
  const figure = {
    name: 'geometric',
    edges: 1,
    made: 1,
    median: 1,
    planning: 1,
    again: 1,
    rows: 1,
    memory: 1,
  };
  const svg = scaleDrawing([
    { ...figure, nodes: 100, shortest: 1 },
    { ...figure, nodes: 1000, shortest: 10 },
    { ...figure, nodes: 10_000, shortest: 100 },
  ]);
  const places = [...svg.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const [first, second, third] = places;
  expect(third[0] - second[0]).toBeCloseTo(second[0] - first[0], 0);
  expect(second[1] - third[1]).toBeCloseTo(first[1] - second[1], 0);
  expect(second[1]).toBeLessThan(first[1]);
  expect(svg).toContain('>10,000</text>');
});
