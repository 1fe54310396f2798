import type { EpochMetrics } from '@flowgrad/evaluation';
import { expect, it, vi } from 'vitest';
import { createEpochHistory } from './epoch-history.ts';

const metrics = (epoch: number, mrr: number): EpochMetrics => {
  const ranking = { hits1: mrr, hits5: mrr, hits10: mrr, mr: 1 / mrr, mrr };
  const split = { raw: ranking, filtered: ranking };
  return { epoch, step: epoch, learningRate: 0.01, loss: 1, valid: split, test: split };
};
const parameters = (epoch: number) => Uint8Array.of(epoch);

it('parameters are kept of the three best epochs, metrics of all', () => {
  const history = createEpochHistory();
  for (const [i, mrr] of [0.5, 0.1, 0.4, 0.3, 0.2].entries())
    history.add(metrics(i + 1, mrr), parameters(i + 1));
  const { epochs, snapshots } = history.now();
  expect(epochs.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5]);
  expect(snapshots).toEqual([1, 3, 4].map((epoch) => ({ epoch, parameters: parameters(epoch) })));
});

it('epochs are best by the ranking that is asked for', () => {
  const history = createEpochHistory({}, 'filtered');
  for (const epoch of [1, 2, 3, 4]) {
    const { valid: low, ...others } = metrics(epoch, epoch / 10);
    const { valid: high } = metrics(epoch, 1 - epoch / 10);
    history.add({ ...others, valid: { raw: low.raw, filtered: high.raw } }, parameters(epoch));
  }
  expect(history.now().snapshots.map(({ epoch }) => epoch)).toEqual([1, 2, 3]);
});

it('goes on from what was kept before, and an epoch has the seconds of its own work', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const earlier = { epochs: [{ ...metrics(1, 0.5), seconds: 7 }], snapshots: [] };
  const history = createEpochHistory(earlier);
  const work = async (): Promise<number> => now.mockReturnValue(now() + 1500)();
  await history.timed(work);
  now.mockReturnValue(90_000);
  await history.timed(work);
  history.add(metrics(2, 0.4), parameters(2));
  history.add(metrics(3, 0.4), parameters(3));
  expect(history.now().epochs.map(({ seconds }) => seconds)).toEqual([7, 3, 0]);
  expect(earlier.epochs).toHaveLength(1);
  now.mockRestore();
});
