import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { smallRun } from '../testing/small-run.ts';
import { predict } from '../training/predict.ts';
import { createTrainer } from '../training/trainer.ts';
import { resolveRun } from '../run/run-config.ts';
import type { EpochMetrics } from '../run/run-record.ts';
import {
  bestEpochs,
  bestShufflings,
  epochsToKeep,
  nearlyBest,
  rankingOf,
  summarizeRuns,
} from './best-epochs.ts';
import { attentionOnPath, distanceToWalker, flowMetrics } from './flow-metrics.ts';

useReference();

/** An epoch whose validation value of every metric is `valid` and test value `test`. */
const epochOf = (epoch: number, valid: number, test: number): EpochMetrics => {
  const ranking = (value: number) => ({ hits1: value, hits5: value, hits10: value, mr: value, mrr: value });
  const split = (value: number) => ({ raw: ranking(value), filtered: ranking(-value) });
  return { epoch, step: epoch, learningRate: 1, loss: 1, valid: split(valid), test: split(test) };
};
const run = [epochOf(1, 10, 1), epochOf(2, 40, 2), epochOf(3, 30, 3), epochOf(4, 40, 4), epochOf(5, 20, 5)];

describe('bestEpochs', () => {
  it('are the three best on validation, of equals the earlier, whatever the test says', () => {
    expect(bestEpochs(run, 'hits1').map(({ epoch }) => epoch)).toEqual([2, 4, 3]);
  });

  it('have the smallest mean rank', () => {
    expect(bestEpochs(run, 'mr').map(({ epoch }) => epoch)).toEqual([1, 5, 3]);
  });

  it('are those of the ranking asked for', () => {
    expect(bestEpochs(run, 'hits1', 'filtered').map(({ epoch }) => epoch)).toEqual([1, 5, 3]);
  });

  it('are all there are of a short run', () => {
    expect(bestEpochs(run.slice(0, 2), 'mrr')).toHaveLength(2);
  });
});

describe('nearlyBest', () => {
  it('is the first epoch with 95 % of the best MRR on validation, and the time until its end', () => {
    const timed = [10, 37, 39, 30, 40].map((valid, i) => ({ ...epochOf(i + 1, valid, 0), seconds: i + 1 }));
    expect(nearlyBest(timed)).toEqual({ epoch: 3, seconds: 6 });
    expect(nearlyBest([])).toBeUndefined();
  });
});

describe('summarizeRuns', () => {
  it('is mean and standard deviation of the test values at the best epochs', () => {
    const { hits1, mr } = summarizeRuns([run]);
    expect(hits1).toMatchObject({ epochs: [2, 4, 3], values: [2, 4, 3], mean: 3 });
    expect(hits1.std).toBeCloseTo(Math.sqrt(2 / 3), 12);
    expect(mr.mean).toBeCloseTo((1 + 5 + 3) / 3, 12);
  });

  it('takes the snapshots of several runs together', () => {
    const other = [epochOf(1, 1, 9)];
    expect(summarizeRuns([run, other]).hits1.values).toEqual([2, 4, 3, 9]);
  });
});

it('epochsToKeep are those that some metric needs', () => {
  expect([...epochsToKeep(run)].sort()).toEqual([1, 2, 3, 4, 5]);
  const long = Array.from({ length: 10 }, (_, i) => epochOf(i + 1, i, 0));
  expect([...epochsToKeep(long)].sort((a, b) => a - b)).toEqual([1, 2, 3, 8, 9, 10]);
});

describe('the ranking that chooses epochs', () => {
  it('is raw, as the paper’s, and filtered on datasets that ask questions', () => {
    const card = { name: 'family', sha256: 'ab'.repeat(32), nodes: 5, edgeTypes: 4, queries: 4, steps: 2 };
    expect(rankingOf({ group: 'SINE-SZ32-STP16-NDRP-STD0.2' })).toBe('raw');
    expect(rankingOf({ group: { ...card, queries: 0 } })).toBe('raw');
    expect(rankingOf({ group: card })).toBe('filtered');
  });

  it('says which epochs are kept, and when a run had come near its best', () => {
    const long = Array.from({ length: 10 }, (_, i) => {
      const { valid, ...epoch } = epochOf(i + 1, i, 0);
      const filtered = { ...valid.raw, mrr: i + 1 === 5 ? 1 : 0 };
      return { ...epoch, valid: { ...valid, filtered }, seconds: 1 };
    });
    expect(epochsToKeep(long, 'raw')).not.toContain(5);
    expect(epochsToKeep(long, 'filtered')).toContain(5);
    expect(nearlyBest(long, 'filtered')).toEqual({ epoch: 5, seconds: 5 });
  });
});

describe('how attention follows a walk', () => {
  // Nodes 0 … 3 in a row; the walk goes 0 → 1 → 2 and ends there.
  const path = Int32Array.of(0, 1, 2);
  const line = { x: Int32Array.of(0, 1, 2, 3), y: Int32Array.of(5, 5, 5, 5) };
  const focused = [
    Float32Array.of(1, 0, 0, 0),
    Float32Array.of(0, 0.5, 0, 0.5),
    Float32Array.of(0, 0, 0.25, 0.75),
    Float32Array.of(0, 0, 0, 1),
  ];

  it('is the attention on its nodes', () => {
    expect(attentionOnPath(focused, path)).toEqual([1, 0.5, 0.25, 0]);
  });

  it('counts a node that the walk visits twice once', () => {
    expect(attentionOnPath(focused, Int32Array.of(0, 3, 0, 3))).toEqual([1, 0.5, 0.75, 1]);
  });

  it('is the distance of its mean to the walker, who waits at the end', () => {
    expect(distanceToWalker(focused, path, line)).toEqual([0, 1, 0.75, 1]);
  });

  it('is averaged over the pairs of a split', async () => {
    const trainer = createTrainer(smallRun);
    const flow = await flowMetrics(trainer, 'test');
    const { sources, path, count } = trainer.dataset.examples.test;
    let [share, distance] = [0, 0];
    for (const [pair, source] of sources.entries()) {
      const nodes = path!(pair);
      for await (const { attention } of predict(trainer, [source], { attention: 'focused' })) {
        share += attentionOnPath(attention!.focused, nodes)[2] / count;
        distance += distanceToWalker(attention!.focused, nodes, trainer.dataset.positions!)[2] / count;
      }
    }
    expect(flow!.share[0]).toBeCloseTo(1, 6);
    expect(flow!.share[2]).toBeCloseTo(share, 6);
    expect(flow!.distance[2]).toBeCloseTo(distance, 6);
    trainer.dispose();
  });

  it('is unknown of regular networks', async () => {
    const trainer = createTrainer({ ...smallRun, model: 'GGNN', options: { d: 8, attentionChannels: 2 } });
    expect(await flowMetrics(trainer, 'test')).toBeUndefined();
    trainer.dispose();
  });
});

describe('bestShufflings', () => {
  const config = resolveRun(smallRun);
  const run = (seed: number, shuffling: number, ...valid: number[]) => ({
    config: { ...config, seed, shuffling },
    epochs: valid.map((value, i) => epochOf(i + 1, value, 1)),
  });

  it('has one run of each kind and seed, the best on validation, and of equals the first', () => {
    const runs = [run(1, 1, 0.4), run(1, 2, 0.5, 0.7), run(1, 3, 0.6), run(2, 1, 0.3), run(2, 2, 0.2)];
    expect(bestShufflings(runs)).toEqual([runs[1], runs[3]]);
    const other = { ...runs[0], config: { ...runs[0].config, epochs: config.epochs + 1 } };
    expect(bestShufflings([...runs, other])).toContain(other);
  });

  it('has a run without an epoch only where there is no other', () => {
    const runs = [run(1, 1), run(1, 2, 0.1), run(1, 3), run(2, 1)];
    expect(bestShufflings(runs)).toEqual([runs[1], runs[3]]);
  });
});
