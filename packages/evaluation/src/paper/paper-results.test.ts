import { DATASET_GROUPS } from '@flowgrad/gridworld';
import { expect, it } from 'vitest';
import { PAPER_RESULTS } from './paper-results.ts';

it('has results of 160 models on the paper’s 24 groups, a number in every cell', () => {
  expect(new Set(PAPER_RESULTS.keys())).toEqual(new Set(DATASET_GROUPS));
  const rows = [...PAPER_RESULTS.values()].flatMap((models) => [...models.values()]);
  const cells = rows.flatMap(({ hits1, hits5, hits10, mr, mrr }) => [hits1, hits5, hits10, mr, mrr].flat());
  expect([rows.length, cells.length]).toEqual([160, 160 * 10]);
  expect(cells.every(Number.isFinite)).toBe(true);
});

it('is read by row and column', () => {
  expect(PAPER_RESULTS.get('LINE-SZ32-STP16-NDRP-STD0.2')?.get('GGNN-MulMlp')).toEqual({
    hits1: [17.08, 0.77],
    hits5: [61.45, 1.82],
    hits10: [83.54, 1.89],
    mr: [6.316, 0.684],
    mrr: [0.3673, 0.0111],
  });
});
