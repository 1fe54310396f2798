import { expect, test } from 'vitest';
import { measure } from './measure.ts';

/** A clock that a job moves on by hand. */
function jobTaking(times: number[]) {
  let clock = 0;
  let calls = 0;
  const job = () => {
    clock += times[calls++];
  };
  return { job, now: () => clock, calls: () => calls };
}

test('leaves the warm-up runs out of the times', async () => {
  const { job, now, calls } = jobTaking([1000, 500, 3, 1, 2]);
  expect(await measure(job, { warmup: 2, runs: 3, now })).toEqual({ median: 2, min: 1, max: 3, runs: 3 });
  expect(calls()).toBe(5);
});

test('reports the lower middle run when the number of runs is even', async () => {
  const { job, now } = jobTaking([4, 1, 3, 2]);
  expect(await measure(job, { warmup: 0, runs: 4, now })).toMatchObject({ median: 2 });
});

test('waits for asynchronous jobs', async () => {
  let clock = 0;
  const job = async () => {
    await Promise.resolve();
    clock += 7;
  };
  expect(await measure(job, { warmup: 0, runs: 1, now: () => clock })).toMatchObject({ median: 7 });
});

test('refuses a number of runs that is not positive', async () => {
  await expect(measure(() => {}, { runs: 0 })).rejects.toThrow(
    'measure: runs must be a positive integer, got 0',
  );
});
