import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIRECTION_COUNT, DIRECTION_X, DIRECTION_Y, oppositeDirection } from './directions.ts';
import { createGridMap } from './grid-map.ts';
import type { GridMap } from './grid-map.ts';
import { createWorld } from './world.ts';

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const mapParameters = fc.record({
  size: fc.integer({ min: 1, max: 7 }),
  nodeDrop: fraction,
  edgeDrop: fraction,
  seed: fc.nat(1000),
});

function neighborOf(map: GridMap, node: number, direction: number): number {
  return map.neighbors[node * DIRECTION_COUNT + direction];
}

describe('createGridMap', () => {
  it('keeps all 2(2N−1)(2N−2) edges where nothing is dropped', () => {
    const { graph } = createGridMap({ size: 5, nodeDrop: 0, edgeDrop: 0, seed: 1 });
    expect(graph.nodeCount).toBe(25);
    expect(graph.edgeCount).toBe(2 * 9 * 8);
  });

  it('keeps exact counts of nodes and edges', () => {
    const dropped = (nodeDrop: number, edgeDrop: number): GridMap =>
      createGridMap({ size: 32, nodeDrop, edgeDrop, seed: 5 });
    expect(dropped(0.1, 0).graph.nodeCount).toBe(921);
    expect(dropped(0, 0.2).graph.edgeCount).toBe(2 * 3124);
  });

  it('rounds the counts down, but not for a floating-point error', () => {
    // 9 undirected … of the 42 of a 4 × 4 grid a sixth stays: 42 · (1 − 5/6) is 6.999… in floating point.
    expect(42 * (1 - 5 / 6)).toBeLessThan(7);
    expect(createGridMap({ size: 4, nodeDrop: 0, edgeDrop: 5 / 6, seed: 1 }).graph.edgeCount).toBe(14);
  });

  it('has edges that lead where their direction says, with their reverse, and no isolated node', () => {
    fc.assert(
      fc.property(mapParameters, (parameters) => {
        const map = createGridMap(parameters);
        const { senders, receivers, edgeTypes, edgeCount, nodeCount } = map.graph;
        for (let edge = 0; edge < edgeCount; edge++) {
          const [from, to, direction] = [senders[edge], receivers[edge], edgeTypes[edge]];
          expect(map.x[to] - map.x[from]).toBe(DIRECTION_X[direction]);
          expect(map.y[to] - map.y[from]).toBe(DIRECTION_Y[direction]);
          expect(neighborOf(map, from, direction)).toBe(to);
          expect(neighborOf(map, to, oppositeDirection(direction))).toBe(from);
        }
        expect(map.neighbors.filter((node) => node >= 0)).toHaveLength(edgeCount);
        for (let node = 0; node < nodeCount; node++) {
          expect(map.nodeOfCell[map.y[node] * map.size + map.x[node]]).toBe(node);
          expect(map.graph.bySender.offsets[node + 1]).toBeGreaterThan(map.graph.bySender.offsets[node]);
        }
      }),
    );
  });

  it('is the same for all dynamics and all σ at one seed, and another at another seed', () => {
    const neighborsOf = (group: string, seed: number): string =>
      createWorld(group, { seed }).map.neighbors.join();
    const first = neighborsOf('LINE-SZ12-STP4-NDRP-STD0.2', 1);
    expect(neighborsOf('HISTORY-SZ12-STP9-NDRP-STD0.5', 1)).toBe(first);
    expect(neighborsOf('LINE-SZ12-STP4-NDRP-STD0.2', 2)).not.toBe(first);
  });

  it.each([
    ['a single cell, which is isolated', { size: 1, nodeDrop: 0, edgeDrop: 0 }],
    ['all nodes dropped', { size: 4, nodeDrop: 1, edgeDrop: 0 }],
    ['all edges dropped', { size: 4, nodeDrop: 0, edgeDrop: 1 }],
  ])('is empty with %s', (_, parameters) => {
    const map = createGridMap({ ...parameters, seed: 1 });
    expect(map.graph).toMatchObject({ nodeCount: 0, edgeCount: 0, edgeTypeCount: 8 });
  });

  it('names a parameter out of range', () => {
    const create = (change: object) => () =>
      createGridMap({ size: 4, nodeDrop: 0, edgeDrop: 0, seed: 1, ...change });
    expect(create({ size: 0 })).toThrow('createGridMap: expected size to be an integer in 1..1024, got 0');
    expect(create({ nodeDrop: 1.5 })).toThrow('expected nodeDrop to be a number in 0..1, got 1.5');
    expect(create({ edgeDrop: Number.NaN })).toThrow('expected edgeDrop to be a number in 0..1, got NaN');
    expect(create({ seed: -1 })).toThrow('expected seed');
  });
});
