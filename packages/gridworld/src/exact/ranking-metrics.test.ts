import { describe, expect, it } from 'vitest';
import { generateDataset, pairsOf } from '../dataset/dataset.ts';
import { rollOut } from '../dataset/rollout.ts';
import { ceilingMetrics } from './ceiling.ts';
import { exactDestinations } from './exact-destinations.ts';
import { evaluateRanking, rankOf, summarizeRanks } from './ranking-metrics.ts';

const rank = (first: number, last = first) => ({ first, last });

describe('rankOf', () => {
  const scores = [0.1, 0.4, 0.2, 0.2, 0.1];

  it('is 1 for the best, and a run of ranks for a tie', () => {
    expect([1, 2, 3, 0].map((node) => rankOf(scores, node))).toEqual([
      rank(1),
      rank(2, 3),
      rank(2, 3),
      rank(4, 5),
    ]);
  });

  it('leaves others out, each once, and never the target', () => {
    expect(rankOf(scores, 0, [1, 1, 2, 0])).toEqual(rank(2, 3));
    expect(rankOf(scores, 2, [3])).toEqual(rank(2));
  });

  it('names a missing score', () => {
    expect(() => rankOf([1, Number.NaN], 0)).toThrow('rankOf: expected a score for node 1, got NaN');
    expect(() => rankOf([1], 1)).toThrow('rankOf: expected a score for node 1, got undefined');
  });
});

describe('summarizeRanks', () => {
  it('counts hits in percent, and means', () => {
    expect(summarizeRanks([rank(1), rank(2), rank(10), rank(20)])).toEqual({
      hits1: 25,
      hits5: 50,
      hits10: 75,
      mr: 8.25,
      mrr: (1 + 0.5 + 0.1 + 0.05) / 4,
    });
  });

  it('takes a tie for its mean rank: a tie for the first place is no hit', () => {
    expect(summarizeRanks([rank(1, 2)])).toMatchObject({ hits1: 0, hits5: 100, mr: 1.5, mrr: 1 / 1.5 });
    expect(summarizeRanks([rank(1, 9)])).toMatchObject({ hits1: 0, hits5: 100, mr: 5 });
  });

  it('takes a broken tie for the mean over its orders, which has the same mean rank', () => {
    expect(summarizeRanks([rank(1, 2)], 'broken')).toMatchObject({
      hits1: 50,
      hits5: 100,
      mr: 1.5,
      mrr: 0.75,
    });
  });

  it('refuses to summarize nothing', () => {
    expect(() => summarizeRanks([])).toThrow('summarizeRanks: expected at least one rank, got none');
  });
});

describe('evaluateRanking', () => {
  it('asks for each source once; filtered leaves out the other destinations of the same source', () => {
    const asked: number[] = [];
    const { raw, filtered } = evaluateRanking({ sources: [0, 2, 0], destinations: [1, 1, 2] }, (source) => {
      asked.push(source);
      return [0.1, 0.5, 0.4];
    });
    expect(asked).toEqual([0, 2]);
    expect([raw.mr, filtered.mr]).toEqual([4 / 3, 1]);
  });
});

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
    const sampled = evaluateRanking(pairsOf(dataset, 'test'), (source) => {
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
    const left = evaluateRanking(pairsOf(dataset, 'test'), (source) =>
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
