import { createGridMap } from '@flowgrad/gridworld';
import { expect, it } from 'vitest';
import { mapLayout } from './map-layout.ts';

const map = createGridMap({ size: 5, nodeDrop: 0.2, edgeDrop: 0, seed: 3 });

it('every node is found again at its own centre', () => {
  const layout = mapLayout(map, 300, 200);
  for (let node = 0; node < map.graph.nodeCount; node++) {
    expect(layout.nodeAt(layout.x[node], layout.y[node])).toBe(node);
  }
});

it('north is up, and the square of cells lies in the middle', () => {
  const { cell, x, y } = mapLayout(map, 300, 200);
  expect(cell).toBe(40);
  for (let node = 0; node < map.graph.nodeCount; node++) {
    expect(x[node]).toBe(50 + (map.x[node] + 0.5) * 40);
    expect(y[node]).toBe(200 - (map.y[node] + 0.5) * 40);
  }
});

it('there is no node beside the map, nor where one was dropped', () => {
  const { nodeAt } = mapLayout(map, 300, 200);
  expect([nodeAt(49, 100), nodeAt(251, 100), nodeAt(100, -1), nodeAt(100, 201)]).toEqual([-1, -1, -1, -1]);
  const dropped = map.nodeOfCell.indexOf(-1);
  const [column, row] = [dropped % 5, Math.floor(dropped / 5)];
  expect(nodeAt(50 + (column + 0.5) * 40, 200 - (row + 0.5) * 40)).toBe(-1);
});
