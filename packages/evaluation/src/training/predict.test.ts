import { rankOf } from '@flowgrad/data';
import type { Planner } from '@flowgrad/graph';
import { scope } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { smallRun } from '../testing/small-run.ts';
import { evaluateSplit } from './evaluate.ts';
import { predict } from './predict.ts';
import type { Prediction, PredictOptions } from './predict.ts';
import { createTrainer } from './trainer.ts';
import type { Trainer } from './trainer.ts';

useReference();

async function all(
  trainer: Trainer,
  sources: ArrayLike<number>,
  options?: PredictOptions,
): Promise<Prediction[]> {
  const found: Prediction[] = [];
  for await (const prediction of predict(trainer, sources, options)) found.push(prediction);
  return found;
}

describe('predict', () => {
  it('gives each source, in order and over several batches, what the model gives it alone', async () => {
    const trainer = createTrainer(smallRun);
    const sources = [4, 0, 7, 7, 2, 11, 3];
    const found = await all(trainer, sources, { batch: 3 });
    expect(found.map(({ source }) => source)).toEqual(sources);
    for (const { source, scores, attention } of found) {
      const own = scope(() => trainer.model.forward(trainer.planner.plan({ sources: [source] })).scores);
      const expected = await own.data();
      own.dispose();
      for (const [node, score] of scores.entries()) expect(score).toBeCloseTo(expected[node], 6);
      expect(attention).toBeUndefined();
    }
    trainer.dispose();
  });

  it('computes as many sources together as memory allows, in batches of one size', async () => {
    const trainer = createTrainer({ ...smallRun, batch: 2 });
    const batchesOf = async (edgeCount: number, options?: PredictOptions): Promise<number[]> => {
      const sizes: number[] = [];
      const planner: Planner = {
        ...trainer.planner,
        plan: (batch) => {
          sizes.push(batch.sources.length);
          return trainer.planner.plan(batch);
        },
      };
      const sources = Array.from({ length: 10 }, () => 1);
      for await (const _ of predict(
        { ...trainer, planner, graph: { ...trainer.graph, edgeCount } },
        sources,
        options,
      ));
      return sizes;
    };
    const { edgeCount } = trainer.graph;
    expect(await batchesOf(edgeCount)).toEqual([10]);
    expect(await batchesOf(edgeCount, { batch: 9 })).toEqual([5, 5]);
    // 128 MB for messages of width 4, of 4 bytes each.
    expect(await batchesOf(2 ** 23 / 4)).toEqual([4, 4, 2]);
    // No fewer than in training.
    expect(await batchesOf(2 ** 23)).toEqual([2, 2, 2, 2, 2]);
    trainer.dispose();
  });

  it('gives attention that sums to 1 at every time, and flows that sum to 1 at every step', async () => {
    const trainer = createTrainer(smallRun);
    const sum = (values: Float32Array): number => values.reduce((total, value) => total + value, 0);
    for (const { source, scores, attention } of await all(trainer, [1, 5], { attention: 'flowing' })) {
      expect(attention!.focused).toHaveLength(4);
      expect(attention!.flowing).toHaveLength(3);
      expect(attention!.focused[0][source]).toBe(1);
      expect(attention!.focused[3]).toEqual(scores);
      for (const each of [...attention!.focused, ...attention!.flowing!]) expect(sum(each)).toBeCloseTo(1, 5);
    }
    trainer.dispose();
  });

  it.each(['focused', 'flowing'] as const)('has no %s attention of regular networks', async (attention) => {
    const trainer = createTrainer({ ...smallRun, model: 'GGNN', options: { d: 8, attentionChannels: 2 } });
    const [prediction] = await all(trainer, [1], { attention });
    expect(prediction.scores).toHaveLength(trainer.graph.nodeCount);
    expect(prediction.attention).toBeUndefined();
    trainer.dispose();
  });

  it('raises when a model has gone NaN', async () => {
    const trainer = createTrainer({ ...smallRun, learningRates: [1e38] });
    for (let i = 0; i < 3; i++) await trainer.step();
    await expect(all(trainer, [1])).rejects.toThrow('got NaN or an infinity in the scores of source 1');
    trainer.dispose();
  });
});

it('evaluateSplit is the mean over pairs of hits and ranks, each distinct source computed once', async () => {
  const trainer = createTrainer(smallRun);
  const { sources, destinations, count } = trainer.dataset.examples.train;
  const ranks: number[] = [];
  for (const [pair, source] of sources.entries()) {
    const [{ scores }] = await all(trainer, [source]);
    const { first, last } = rankOf(scores, destinations[pair]);
    ranks.push((first + last) / 2);
  }
  let asked = 0;
  const { planner } = trainer as { planner: { plan: Trainer['planner']['plan'] } };
  const { plan } = planner;
  planner.plan = (batch) => {
    asked += batch.sources.length;
    return plan(batch);
  };
  const { raw, filtered } = await evaluateSplit(trainer, 'train');
  expect(asked).toBe(new Set(sources).size);
  expect(asked).toBeLessThan(count);
  expect(raw.mr).toBeCloseTo(ranks.reduce((a, b) => a + b) / count, 9);
  expect(raw.hits5).toBeCloseTo((100 * ranks.filter((rank) => rank <= 5).length) / count, 9);
  expect(filtered.mr).toBeLessThan(raw.mr);
  // Epoch after epoch the same is asked, on the plans of the first time.
  expect(await evaluateSplit(trainer, 'train')).toEqual({ raw, filtered });
  expect(asked).toBe(new Set(sources).size);
  expect(trainer.evaluationPlans.bytes).toBeGreaterThan(0);
  trainer.dispose();
  expect(trainer.evaluationPlans.bytes).toBe(0);
});
