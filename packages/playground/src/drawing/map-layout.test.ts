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
  const { cell, x, y } = mapLayout(map, 324, 224);
  expect(cell).toBe(40);
  for (let node = 0; node < map.graph.nodeCount; node++) {
    expect(x[node]).toBe(62 + (map.x[node] + 0.5) * 40);
    expect(y[node]).toBe(212 - (map.y[node] + 0.5) * 40);
  }
});

it('there is no node beside the map, nor where one was dropped', () => {
  const { nodeAt } = mapLayout(map, 324, 224);
  expect([nodeAt(61, 110), nodeAt(263, 110), nodeAt(110, 11), nodeAt(110, 213)]).toEqual([-1, -1, -1, -1]);
  const dropped = map.nodeOfCell.indexOf(-1);
  const [column, row] = [dropped % 5, Math.floor(dropped / 5)];
  expect(nodeAt(62 + (column + 0.5) * 40, 212 - (row + 0.5) * 40)).toBe(-1);
});
