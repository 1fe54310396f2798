import { memory } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { expect, test } from 'vitest';
import { benchLayers, expectAgreement, layerReport, opsOfForm, scatteredGraph } from './layers.ts';
import type { LayerFigures } from './layers.ts';

useReference();

const figures = (shortest: number, size: number): LayerFigures => ({
  shortest,
  median: 2 * shortest,
  bytes: size / 2,
  memory: size,
  loss: 1,
  slope: 3,
});

test('compares the edge expression with the fastest form by hand, in time and in memory', () => {
  const report = layerReport(
    new Map([
      ['edge expression', figures(300, 0.5e9)],
      ['slow', figures(600, 2e9)],
      ['fast', figures(200, 0.4e9)],
    ]),
  );
  const lines = report.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
  expect(lines[1]).toBe('edge expression 300 ms 600 ms 1.50 250 MB 500 MB');
  expect(lines[2]).toBe('slow 600 ms 1200 ms 3.00 1000 MB 2000 MB');
  expect(lines.slice(-2)).toEqual([
    'edge expression: 500 MB, wanted at most 600 MB: holds',
    'edge expression: 1.50 of the fastest by hand, wanted at most 1.05: DOES NOT HOLD',
  ]);
});

test('refuses forms that compute something else', () => {
  const all = new Map([
    ['edge expression', figures(1, 1)],
    ['wrong', { ...figures(1, 1), slope: 3.1 }],
  ]);
  expect(() => {
    expectAgreement(all);
  }).toThrow("bench: expected the slope of 'wrong' to be 3, as of 'edge expression', got 3.1");
});

test('measures all forms on a small graph, which agree, and frees what it made', async () => {
  const before = memory();
  const done: string[] = [];
  const report = await benchLayers({
    nodes: 50,
    edges: 400,
    channels: 8,
    runs: 1,
    onProgress: (what) => done.push(what),
  });
  expect(done).toEqual([
    'the memory of edge expression',
    'the memory of gather, scale, scatterAdd',
    'the memory of the same, recomputed',
    'the memory of weightedSum',
    'the times of all',
  ]);
  expect(report).toContain('sumIn: ');
  expect(memory()).toEqual(before);
});

test('the edge expression makes the ops of the fastest form by hand, and no others', () => {
  const graph = scatteredGraph(50, 400);
  const ops = opsOfForm('edge expression', graph, 8);
  expect(Object.keys(ops).filter((op) => op.startsWith('weightedSum'))).not.toEqual([]);
  expect(ops).toEqual(opsOfForm('weightedSum', graph, 8));
});
