import { createGridMap } from '@flowgrad/gridworld';
import { expect, it } from 'vitest';
import { mapLayout } from './map-layout.ts';
import { graphPlaces, gridPlaces } from './places.ts';

const map = createGridMap({ size: 5, nodeDrop: 0.2, edgeDrop: 0, seed: 3 });

it('every node is found again at its own centre', () => {
  const layout = mapLayout(gridPlaces(map), 300, 200);
  for (let node = 0; node < map.graph.nodeCount; node++) {
    expect(layout.nodeAt(layout.x[node], layout.y[node])).toBe(node);
  }
});

it('north is up, and the square of cells lies in the middle', () => {
  const { cell, x, y } = mapLayout(gridPlaces(map), 324, 224);
  expect(cell).toBe(40);
  for (let node = 0; node < map.graph.nodeCount; node++) {
    expect(x[node]).toBe(62 + (map.x[node] + 0.5) * 40);
    expect(y[node]).toBe(212 - (map.y[node] + 0.5) * 40);
  }
});

it('there is no node beside the map, nor where one was dropped', () => {
  const { nodeAt } = mapLayout(gridPlaces(map), 324, 224);
  expect([nodeAt(61, 110), nodeAt(263, 110), nodeAt(110, 11), nodeAt(110, 213)]).toEqual([-1, -1, -1, -1]);
  const dropped = map.nodeOfCell.indexOf(-1);
  const [column, row] = [dropped % 5, Math.floor(dropped / 5)];
  expect(nodeAt(62 + (column + 0.5) * 40, 212 - (row + 0.5) * 40)).toBe(-1);
});

it('nodes anywhere fit into the picture, and the nearest is found, also where it is zoomed', () => {
  const positions = { x: Float32Array.of(-5, 10, 4), y: Float32Array.of(2, 2, 90) };
  const places = graphPlaces(positions, {
    senders: Int32Array.of(0, 1, 2),
    receivers: Int32Array.of(1, 0, 2),
  });
  for (const zoom of [undefined, { scale: 3, x: 20, y: -40 }]) {
    const { x, y, cell, nodeAt } = mapLayout(places, 300, 300, zoom);
    if (!zoom) expect([...x, ...y].every((each) => each > 0 && each < 300)).toBe(true);
    expect([0, 1, 2].map((node) => nodeAt(x[node] + cell / 3, y[node] - cell / 3))).toEqual([0, 1, 2]);
    expect(nodeAt(x[2], y[2] + 3 * cell)).toBe(-1);
  }
  const [plain, near] = [mapLayout(places, 300, 300), mapLayout(places, 300, 300, { scale: 2, x: 0, y: 0 })];
  expect(near.x[1] - near.x[0]).toBeCloseTo(2 * (plain.x[1] - plain.x[0]), 3);
});

it('one node alone has a place', () => {
  const none = new Int32Array(0);
  const places = graphPlaces(
    { x: Float32Array.of(7), y: Float32Array.of(7) },
    { senders: none, receivers: none },
  );
  const { x, y, nodeAt } = mapLayout(places, 200, 100);
  expect([x[0], y[0], nodeAt(100, 50)]).toEqual([100, 50, 0]);
});
