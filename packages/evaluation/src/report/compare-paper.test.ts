import type { PaperMetrics } from '../paper/paper-results.ts';
import { describe, expect, it } from 'vitest';
import { differenceFromPaper } from './compare-paper.ts';
import { differenceMark } from './difference-mark.ts';

/** σ of the paper is 4, with a σ of 3 of ours it is 5: all exact in floating point. */
const paper: PaperMetrics = {
  hits1: [50, 4],
  hits5: [50, 4],
  hits10: [50, 4],
  mr: [50, 4],
  mrr: [0.5, 0.25],
};
const levelAt = (mean: number, runs: number) =>
  differenceFromPaper('hits1', { mean, std: 3 }, paper, runs).level;

describe('differenceFromPaper', () => {
  it('counts standard deviations of both together, thresholds included', () => {
    expect([50, 55, 55.001, 60, 60.001, 65, 65.001].map((mean) => levelAt(mean, 2))).toEqual([
      0, 0, 1, 1, 2, 2, 3,
    ]);
    expect([45, 44.999, 40, 39.999, 35, 34.999].map((mean) => levelAt(mean, 2))).toEqual([0, 1, 1, 2, 2, 3]);
  });

  it('counts the paper’s alone for one run, whose own are over snapshots only', () => {
    expect([54, 54.001, 58, 58.001, 62, 62.001].map((mean) => levelAt(mean, 1))).toEqual([0, 1, 1, 2, 2, 3]);
  });

  it('knows that a lower mean rank is better', () => {
    const of = (metric: 'mr' | 'hits1') => differenceFromPaper(metric, { mean: 40, std: 0 }, paper, 2);
    expect(of('mr')).toEqual({ difference: -10, deviations: 2.5, level: 2, isBetter: true });
    expect(of('hits1')).toMatchObject({ difference: -10, isBetter: false });
  });

  it('does without any deviation: the same number is alike, another one far away', () => {
    const exact = { ...paper, hits1: [100, 0] as const };
    expect(differenceFromPaper('hits1', { mean: 100, std: 0 }, exact, 3)).toMatchObject({
      deviations: 0,
      level: 0,
    });
    expect(differenceFromPaper('hits1', { mean: 99, std: 0 }, exact, 3).level).toBe(3);
  });
});

it('a mark has as many triangles as standard deviations were passed, up or down, and says so in words', () => {
  const triangles = (level: 0 | 1 | 2 | 3, isBetter: boolean) => differenceMark({ level, isBetter }).text;
  expect(triangles(0, true)).toBe('≈');
  expect(triangles(3, false).match(/M/g)).toHaveLength(3);
  expect(triangles(3, false)).toContain('<title>worse, more than 3 σ</title>');
  expect(triangles(1, true)).toContain('<title>better, 1 to 2 σ</title>');
  expect(triangles(1, true)).not.toBe(triangles(1, false));
});
