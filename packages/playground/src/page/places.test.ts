import { createGridMap } from '@flowgrad/gridworld';
import { expect, it } from 'vitest';
import { nameOf, neighbour, placesOf } from './places.ts';
import { firstState } from './state.ts';
import type { State } from './state.ts';

const ofGraph = (points: readonly (readonly [number, number])[], source: number): State => ({
  ...firstState,
  source,
  world: {
    ...{ steps: 1, nodeCount: points.length, testSource: 0, facts: '', hasWalks: false },
    ...{ senders: new Int32Array(0), receivers: new Int32Array(0) },
    positions: { x: Float32Array.from(points, ([x]) => x), y: Float32Array.from(points, ([, y]) => y) },
  },
});
const [right, left, up] = [
  [1, 0],
  [-1, 0],
  [0, 1],
] as const;

it('an arrow key leads to the nearest node ahead, rather straight than to a side', () => {
  const state = ofGraph(
    [
      [0, 0],
      [3, 0],
      [2, 1.5],
      [1, 5],
      [-1, -4],
    ],
    0,
  );
  expect(neighbour(state, right)).toBe(1);
  expect(neighbour(state, up)).toBe(3);
  expect(neighbour(state, left)).toBe(-1);
});

it('on a grid it leads along the row, over cells that have no node', () => {
  const map = createGridMap({ size: 6, nodeDrop: 0.2, edgeDrop: 0, seed: 3 });
  const { nodeCount, senders, receivers } = map.graph;
  const world = { steps: 1, nodeCount, senders, receivers, map, testSource: 0, facts: '', hasWalks: true };
  for (let source = 0; source < nodeCount; source++) {
    const ahead = Array.from(map.x.keys())
      .filter((node) => map.y[node] === map.y[source] && map.x[node] > map.x[source])
      .sort((a, b) => map.x[a] - map.x[b]);
    if (ahead.length > 0) expect(neighbour({ ...firstState, world, source }, right)).toBe(ahead[0]);
  }
});

it('nodes are called by their names, their cells or their numbers, and without a layout have no places', () => {
  const { world } = ofGraph([[0, 0]], 0);
  expect(nameOf(world!, 0)).toBe('node 0');
  expect(nameOf({ ...world!, nodeNames: ['ann'] }, 0)).toBe('ann');
  const { positions: _, ...without } = world!;
  expect(placesOf({ world: without, layout: undefined })).toBeUndefined();
});
