import { expect, it } from 'vitest';
import { latest } from './latest.ts';

it('of what is asked while one is under way, only the last is done', async () => {
  const done: number[] = [];
  let release = (): void => undefined;
  const ask = latest(async (value: number) => {
    await new Promise<void>((resolve) => (release = resolve));
    done.push(value);
  });
  for (const value of [1, 2, 3, 4]) ask(value);
  release();
  await new Promise((resolve) => setTimeout(resolve, 5));
  release();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(done).toEqual([1, 4]);
});
