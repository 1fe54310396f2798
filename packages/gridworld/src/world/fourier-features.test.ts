import { describe, expect, it } from 'vitest';
import { fourierFeatures } from './fourier-features.ts';
import { createGridMap } from './grid-map.ts';

const map = createGridMap({ size: 6, nodeDrop: 0.1, edgeDrop: 0, seed: 1 });

describe('fourierFeatures', () => {
  it('are sines and cosines of both coordinates, four for each frequency', () => {
    const features = fourierFeatures(map, { frequencies: 3 });
    expect(features).toHaveLength(map.graph.nodeCount * 12);
    const node = 17;
    [1, 2, 3].forEach((k, i) => {
      const [x, y] = [map.x[node], map.y[node]].map((at) => (Math.PI * k * at) / 6);
      const expected = [Math.sin(x), Math.cos(x), Math.sin(y), Math.cos(y)];
      expected.forEach((value, j) => expect(features[node * 12 + 4 * i + j]).toBeCloseTo(value, 6));
    });
  });

  it('tell all nodes apart with one frequency', () => {
    const features = fourierFeatures(map, { frequencies: 1 });
    const rows = Array.from(map.x, (_, node) => features.slice(4 * node, 4 * node + 4).join());
    expect(new Set(rows).size).toBe(map.graph.nodeCount);
  });

  it('are none for no frequencies, and an error for a wrong number', () => {
    expect(fourierFeatures(map, { frequencies: 0 })).toHaveLength(0);
    expect(() => fourierFeatures(map, { frequencies: 1.5 })).toThrow('expected frequencies to be an integer');
  });
});
