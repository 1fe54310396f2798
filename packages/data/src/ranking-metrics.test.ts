import { describe, expect, it } from 'vitest';
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
