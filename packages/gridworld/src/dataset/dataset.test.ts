import { SPLIT_NAMES } from '@flowgrad/data';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeTextLayout } from '../text-layout/text-layout.ts';
import { DIRECTION_COUNT } from '../world/directions.ts';
import { DYNAMICS } from '../world/latent-direction.ts';
import { parseGroupName } from '../world/group-name.ts';
import { generateDataset } from './dataset.ts';
import type { GridDataset } from './dataset.ts';
import { rollOut } from './rollout.ts';
import { datasetStatistics } from './statistics.ts';
import { trajectoryNodes } from './trajectories.ts';

const small = parseGroupName('HISTORY-SZ8-STP6-NDRP-STD0.5');

function pathsOf({ trajectories }: GridDataset): number[][] {
  return Array.from({ length: trajectories.count }, (_, i) => [...trajectoryNodes(trajectories, i)]);
}

describe('generateDataset', () => {
  it.each([
    ['LINE-SZ16-STP8-EDRP-STD0.3', 1, 'ca4ce8ecdf7e007f'],
    ['SINE-SZ32-STP16-NDRP-STD0.2', 2, '52697bcafe33f20f'],
    ['LOCATION-SZ32-STP16-EDRP-STD0.5', 3, '9ff00ffafdbb0ebf'],
    ['HISTORY-SZ32-STP16-NDRP-STD0.5', 4294967295, 'e733b37a2129724b'],
  ])(
    'gives the same bytes for %s, seed %d, on every platform and in every release',
    (group, seed, expected) => {
      const layout = encodeTextLayout(generateDataset(group, { seed }));
      const hash = createHash('sha256').update(Object.values(layout).join('\0')).digest('hex');
      expect(hash.slice(0, 16)).toBe(expected);
    },
  );

  it('walks along edges, for at most T steps', () => {
    const { map, trajectories } = generateDataset(small, { seed: 1 });
    for (const path of pathsOf(generateDataset(small, { seed: 1 }))) {
      expect(path.length).toBeLessThanOrEqual(small.steps + 1);
      for (let i = 1; i < path.length; i++) {
        const outgoing = map.neighbors.subarray(
          path[i - 1] * DIRECTION_COUNT,
          (path[i - 1] + 1) * DIRECTION_COUNT,
        );
        expect(outgoing).toContain(path[i]);
      }
    }
    expect(trajectories.count).toBeGreaterThan(map.graph.nodeCount);
  });

  it('keeps, of ten rollouts from each node, the first to each destination', () => {
    const dataset = generateDataset(small, { seed: 3 });
    const expected: number[][] = [];
    for (let source = 0; source < dataset.map.graph.nodeCount; source++) {
      const kept = new Map<number, number[]>();
      for (let rollout = 0; rollout < 10; rollout++) {
        const path = [...rollOut(dataset.world, source, { seed: 3, rollout })];
        const destination = path[path.length - 1];
        if (!kept.has(destination)) kept.set(destination, path);
      }
      expected.push(...kept.values());
    }
    expect(pathsOf(dataset)).toEqual(expected);
  });

  it('continues a shorter walk when T is larger', () => {
    const [short, long] = [4, 12].map((steps) => generateDataset({ ...small, steps }, { seed: 5 }).world);
    for (let rollout = 0; rollout < 20; rollout++) {
      const path = rollOut(long, 0, { seed: 5, rollout });
      expect([...rollOut(short, 0, { seed: 5, rollout })]).toEqual([...path.slice(0, 5)]);
    }
  });

  it('splits 736, 92 and 93 sources of 921, none in two parts, and every trajectory into one', () => {
    const dataset = generateDataset('LINE-SZ32-STP16-NDRP-STD0.5', { seed: 1 });
    const sources = SPLIT_NAMES.map((name) => new Set(dataset.examples[name].sources));
    expect(sources.map((set) => set.size)).toEqual([736, 92, 93]);
    expect(new Set(sources.flatMap((set) => [...set])).size).toBe(921);
    const ids = SPLIT_NAMES.flatMap((name) => [...dataset.splits[name]]).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: dataset.trajectories.count }, (_, i) => i));
  });

  it('splits the same sources whatever the dynamics', () => {
    const testSources = (group: string): Set<number> =>
      new Set(generateDataset(group, { seed: 9 }).examples.test.sources);
    expect(testSources('LINE-SZ16-STP8-NDRP-STD0.2')).toEqual(testSources('SINE-SZ16-STP4-NDRP-STD0.5'));
  });

  it('gives pairs that are the ends of their trajectories', () => {
    const dataset = generateDataset(small, { seed: 2 });
    const { sources, destinations, count, path } = dataset.examples.train;
    expect(count).toBe(dataset.splits.train.length);
    const paths = pathsOf(dataset);
    dataset.splits.train.forEach((id, i) => {
      expect([...path!(i)]).toEqual([...paths[id]]);
      expect(paths[id][0]).toBe(sources[i]);
      expect(paths[id].at(-1)).toBe(destinations[i]);
    });
  });

  it('stays at the source with T = 0: one trajectory of one node each', () => {
    const dataset = generateDataset({ ...small, steps: 0 }, { seed: 1 });
    expect(dataset.trajectories.count).toBe(dataset.map.graph.nodeCount);
    expect([...dataset.trajectories.destinations]).toEqual([...dataset.trajectories.sources]);
    expect(datasetStatistics(dataset).trajectoryLength).toBe(1);
  });

  it('counts the nodes of a trajectory, and one more where it was blocked', () => {
    const dataset = generateDataset(small, { seed: 6 });
    const lengths = pathsOf(dataset).map(({ length }) => (length === small.steps + 1 ? length : length + 1));
    // Some were blocked at the very last step.
    expect(pathsOf(dataset).some(({ length }) => length === small.steps)).toBe(true);
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    expect(datasetStatistics(dataset).trajectoryLength).toBeCloseTo(mean, 12);
  });

  it('keeps rollouts that never move, and counts the blocked step', () => {
    // A corridor from west to east in which everything wants to go north.
    const north = { ...small, size: 2, edgeDrop: 5 / 6, nodeDrop: 0, sigma: 0.05 };
    const latentDirection = { ...DYNAMICS.LINE, b1: 0, b2: 1 };
    const dataset = [1, 2, 3, 4, 5, 6]
      .map((seed) => generateDataset({ ...north, latentDirection }, { seed }))
      .find(({ map }) => map.graph.edgeTypes[0] === 0);
    if (dataset === undefined) throw new Error('none of the seeds gives a corridor');
    expect(pathsOf(dataset)).toEqual([[0], [1]]);
    expect(datasetStatistics(dataset)).toMatchObject({
      nodes: 2,
      edges: 2,
      trajectories: 2,
      trajectoryLength: 2,
    });
  });

  it.each([
    ['of one cell', { size: 1 }],
    ['without nodes', { nodeDrop: 1 }],
    ['without edges', { edgeDrop: 1 }],
  ])('is empty, not an error, in a world %s', (_, change) => {
    const dataset = generateDataset({ ...small, ...change }, { seed: 1 });
    expect(dataset.trajectories.count).toBe(0);
    expect(SPLIT_NAMES.map((name) => dataset.splits[name].length)).toEqual([0, 0, 0]);
    expect(datasetStatistics(dataset)).toMatchObject({
      nodes: 0,
      trajectoriesPerNode: 0,
      trajectoryLength: 0,
    });
  });

  it('samples history as a sum, too', () => {
    const summed = { ...small, latentDirection: { ...DYNAMICS.HISTORY, history: 'sum' as const } };
    const paths = pathsOf(generateDataset(summed, { seed: 1 }));
    expect(paths).not.toEqual(pathsOf(generateDataset(small, { seed: 1 })));
  });

  it('names wrong parameters and options', () => {
    const generate = (change: object) => () => generateDataset({ ...small, ...change }, { seed: 1 });
    expect(generate({ steps: -1 })).toThrow(
      'createWorld: expected steps to be an integer in 0..1024, got -1',
    );
    expect(generate({ sigma: 0 })).toThrow('expected sigma to be a number in 0.001..1000, got 0');
    expect(generate({ rollouts: 0 })).toThrow('expected rollouts to be an integer in 1..1048576, got 0');
    expect(generate({ name: 3 })).toThrow('expected name to be a string, got 3');
    expect(generate({ sigmas: 1 })).toThrow("got 'sigmas'");
    expect(generate({ latentDirection: null })).toThrow('expected latentDirection to be an object, got null');
    expect(generate({ latentDirection: { ...DYNAMICS.LINE, omega: '1' } })).toThrow(
      'expected latentDirection.omega',
    );
    expect(generate({ latentDirection: { ...DYNAMICS.LINE, speed: 1 } })).toThrow("got 'speed'");
    expect(generate({ latentDirection: { ...DYNAMICS.LINE, history: 'min' } })).toThrow(
      "expected latentDirection.history among none, max, sum, got 'min'",
    );
    expect(
      generate({ latentDirection: { ...DYNAMICS.HISTORY, history: 'sum', lambda1: 1000 }, steps: 500 }),
    ).toThrow('worldOnMap: expected θ below 1000000, got up to 3507701.4');
    expect(() => generateDataset(small, { seed: -1 })).toThrow(
      'generateDataset: expected seed to be an integer',
    );
    expect(() => generateDataset(small, { sed: 1 } as never)).toThrow(
      "expected options among seed, got 'sed'",
    );
    expect(() => rollOut(generateDataset(small, { seed: 1 }).world, 99, { seed: 1, rollout: 0 })).toThrow(
      'rollOut: expected source to be a node of the map (57 nodes), got 99',
    );
  });

  it('names a trajectory that is not there', () => {
    const { trajectories } = generateDataset({ ...small, steps: 0 }, { seed: 1 });
    expect(() => trajectoryNodes(trajectories, 57)).toThrow(
      'expected a trajectory in 0..56 (57 trajectories), got 57',
    );
  });
});
