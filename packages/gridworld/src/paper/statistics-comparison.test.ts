import { describe, expect, it } from 'vitest';
import { DATASET_GROUPS } from '../world/group-name.ts';
import { compareStatistics } from './statistics-comparison.ts';

/** The first twenty, as they come. */
const seeds = Array.from({ length: 20 }, (_, i) => i + 1);

/** Lengths of this group scatter from seed to seed by more than 0.2: their mean is held to three standard errors. */
const scattered = 'LOCATION-SZ64-STP32-NDRP-STD0.2';

describe('the statistics of the paper', { timeout: 300_000 }, () => {
  it.each(DATASET_GROUPS)('come out for %s, over 20 seeds', (group) => {
    const { mean, deviation, paper, tolerance: usual } = compareStatistics(group, seeds);
    expect(usual.trajectoryLength).toBe(0.2);
    const error = deviation.trajectoryLength / Math.sqrt(seeds.length);
    const tolerance = group === scattered ? { ...usual, trajectoryLength: 3 * error } : usual;
    const columns = ['nodes', 'edges', 'trajectories', 'trajectoryLength'] as const;
    const missed = columns.filter((column) => Math.abs(mean[column] - paper[column]) > tolerance[column]);
    expect(missed, JSON.stringify({ mean, paper, tolerance })).toEqual([]);
  });

  it('are there for the paper’s groups alone', () => {
    expect(() => compareStatistics('LINE-SZ16-STP8-EDRP-STD0.3', seeds)).toThrow(
      /compareStatistics: expected a group among LINE-SZ32-.*, got 'LINE-SZ16-STP8-EDRP-STD0.3'/,
    );
  });
});
