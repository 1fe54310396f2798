import { evaluateRanking } from '@flowgrad/data';
import { describe, expect, it } from 'vitest';
import { generateDataset } from '../dataset/dataset.ts';
import { rollOut } from '../dataset/rollout.ts';
import { ceilingMetrics } from './ceiling.ts';
import { exactDestinations } from './exact-destinations.ts';

describe('ceilingMetrics', () => {
  it('is perfect where everything is certain', () => {
    const parameters = { ...generateDataset('LINE-SZ6-STP0-NDRP-STD0.2', { seed: 1 }).world.parameters };
    const { raw, filtered } = ceilingMetrics(generateDataset(parameters, { seed: 1 }), 'train');
    expect(raw).toEqual({ hits1: 100, hits5: 100, hits10: 100, mr: 1, mrr: 1 });
    expect(filtered).toEqual(raw);
  });

  it('is what the frequencies of many other rollouts come near to, without any dynamic programming', () => {
    const dataset = generateDataset('LOCATION-SZ32-STP16-NDRP-STD0.2', { seed: 1 });
    const { raw, filtered } = ceilingMetrics(dataset);
    const sampled = evaluateRanking(dataset.examples.test, (source) => {
      const counts = new Float64Array(dataset.map.graph.nodeCount);
      for (let rollout = 0; rollout < 1000; rollout++) {
        const path = rollOut(dataset.world, source, { seed: 1001, rollout });
        counts[path[path.length - 1]]++;
      }
      return counts;
    }).raw;
    expect(Math.abs(sampled.hits1 - raw.hits1)).toBeLessThan(2);
    expect(Math.abs(sampled.hits5 - raw.hits5)).toBeLessThan(2);
    expect(filtered.mr).toBeLessThan(raw.mr);
  });

  it('breaks exact ties: a tie for the first place is half a hit', () => {
    const dataset = generateDataset('LINE-SZ32-STP16-NDRP-STD0.2', { seed: 1 });
    const left = evaluateRanking(dataset.examples.test, (source) =>
      exactDestinations(dataset.world, source),
    ).raw;
    const broken = ceilingMetrics(dataset).raw;
    expect(broken.mr).toBe(left.mr);
    expect(broken.hits1).toBeGreaterThan(left.hits1);
  });

  it('says that an empty dataset has no ceiling', () => {
    expect(() => ceilingMetrics(generateDataset('LINE-SZ1-STP4-NDRP-STD0.2', { seed: 1 }))).toThrow(
      'expected at least one rank, got none',
    );
  });
});
