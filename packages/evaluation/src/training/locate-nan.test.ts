import { useReference } from '@flowgrad/tensor/testing/vitest';
import { expect, it } from 'vitest';
import { smallRun } from '../testing/small-run.ts';
import { locateNaN } from './locate-nan.ts';
import { createTrainer } from './trainer.ts';

useReference();

it('names the step and the op, and has the state before', async () => {
  const trainer = createTrainer(smallRun);
  const start = await trainer.save();
  await trainer.step();
  const fine = await trainer.save();
  // Parameters so large that the next step overflows.
  trainer.dispose();
  const wild = createTrainer({ ...smallRun, learningRates: [1e38] });
  wild.load(start);
  const located = await locateNaN(wild, start, 5);
  expect(located?.step).toBeGreaterThan(1);
  expect(located?.problem).toMatch(/^expected finite values, got \S+ at \[.*\] of \w+\(.*\) → \[.*\]$/);
  expect(located?.before.position.losses).toHaveLength(located!.step - 1);
  wild.dispose();
  expect(fine.position.losses).toHaveLength(1);
});

it('gives nothing when all steps stay finite', async () => {
  const trainer = createTrainer(smallRun);
  expect(await locateNaN(trainer, await trainer.save(), 3)).toBeUndefined();
  trainer.dispose();
});
