import { describe, expect, it } from 'vitest';
import { createGridMap } from './grid-map.ts';
import { planeWaveCount, planeWaves } from './plane-waves.ts';

const map = createGridMap({ size: 6, nodeDrop: 0.1, edgeDrop: 0, seed: 1 });

describe('planeWaves', () => {
  it('are sines and cosines of waves in all directions, one of two that are opposite', () => {
    const features = planeWaves(map, { waves: 1, longest: 12 });
    expect(planeWaveCount(1)).toBe(8);
    const node = 17;
    const [x, y] = [map.x[node], map.y[node]];
    const expected = [y, x - y, x, x + y].flatMap((along) => [
      Math.sin((Math.PI * along) / 6),
      Math.cos((Math.PI * along) / 6),
    ]);
    expected.forEach((value, i) => expect(features[node * 8 + i]).toBeCloseTo(value, 6));
    expect(features).toHaveLength(map.graph.nodeCount * 8);
  });

  it('tell the cells of a world apart, and are the same in a larger one', () => {
    const features = planeWaves(map, { waves: 1 });
    const rows = Array.from(map.x, (_, node) => features.slice(8 * node, 8 * node + 8).join());
    expect(new Set(rows).size).toBe(map.graph.nodeCount);
    const larger = createGridMap({ size: 9, nodeDrop: 0, edgeDrop: 0, seed: 1 });
    const same = Array.from(larger.x).findIndex((x, at) => x === map.x[20] && larger.y[at] === map.y[20]);
    expect(
      planeWaves(larger, { waves: 1 })
        .slice(8 * same, 8 * same + 8)
        .join(),
    ).toBe(rows[20]);
  });

  it('are an error for a wrong number', () => {
    expect(() => planeWaves(map, { waves: 0.5 })).toThrow(
      'expected waves to be an integer of at least 0, got 0.5',
    );
    expect(() => planeWaves(map, { waves: 1, longest: 0 })).toThrow(
      'expected longest to be a number of cells above 0',
    );
  });
});
