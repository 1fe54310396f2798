import { expect, it } from 'vitest';
import { segments } from '../../core/row-index.ts';
import { tensor } from '../../create/create.ts';
import { useReference } from '../../testing/vitest/use-reference.ts';
import { segmentLogSumExp } from './segment-log-sum-exp.op.ts';

useReference({ precision: 'float64' });

it('is log 2 above two equal values, the value itself alone, and −∞ of nothing', async () => {
  const y = segmentLogSumExp(tensor([1000, 1000, -7]), segments([0, 0, 2], 3));
  expect(await y.toArray()).toEqual([1000 + Math.LN2, -Infinity, -7]);
});
