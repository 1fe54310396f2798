/** What was seen to be taken, or to end in somebody else's words: each is refused by the name of the field, or trains. */
import { parseGroupName } from '@flowgrad/gridworld';
import type { WorldParameters } from '@flowgrad/gridworld';
import { modelNames } from '@flowgrad/models';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { createTrainer } from '../training/trainer.ts';
import { training } from '../training/training.ts';

import { resolveRun } from './run-config.ts';
import type { RunSettings } from './run-config.ts';
import type { EpochMetrics } from './run-record.ts';

useReference();

const group = 'SINE-SZ16-STP8-NDRP-STD0.2';
const world = (more: Partial<WorldParameters>): WorldParameters => ({
  ...parseGroupName('LINE-SZ4-STP2-NDRP-STD0.2'),
  ...{ name: 'own', nodeDrop: 0 },
  ...more,
});
const refuses = (settings: unknown, message: string | RegExp): void => {
  expect(() => resolveRun(settings as RunSettings)).toThrow(message);
};

describe('refused by name', () => {
  it.for<[unknown, string]>([
    [null, 'run: expected an object, got null'],
    [[], 'run: expected an object, got []'],
    [7, 'run: expected an object, got 7'],
    [{ model: 'GGNN' }, 'run: expected group to be a name or the parameters of a world, got undefined'],
    [{ group }, 'run: expected model among RW-Stationary, RW-Dynamic, FullGN'],
    [{ group, model: 5 }, 'got 5'],
    [{ group: {}, model: 'GGNN' }, 'run: group: expected size to be an integer in 1..1024, got undefined'],
    [{ group, model: 'GGNN', options: 7 }, 'run: expected options to be an object, got 7'],
    [{ group, model: 'GGNN', options: null }, 'run: expected options to be an object, got null'],
    [{ group, model: 'GGNN', features: 0 }, 'run: expected features to be an object, got 0'],
    [{ group, model: 'GGNN', features: {} }, 'run: expected features.frequencies to be an integer in 1..512'],
    [
      { group, model: 'GGNN', features: { frequencies: 1, embeddings: 'false' } },
      "run: expected features.embeddings to be true or false, got 'false'",
    ],
    [
      { group, model: 'GGNN', options: { messageMemory: '5' } },
      "run: expected options.messageMemory to be a number of bytes ≥ 0, got '5'",
    ],
    [
      { group, model: 'GGNN', learningRates: 0.01 },
      'run: expected learningRates to be one or more numbers ≥ 0, got 0.01',
    ],
    [
      { group, model: 'GGNN', options: { heads: 5 } },
      "run: options: expected options of GGNN among d, weightDecay, messageMemory, attentionChannels, got 'heads'",
    ],
    [
      { group, model: 'GGNN', options: { d: 8, attentionChannels: 8 } },
      'run: expected options.attentionChannels to be less than options.d = 8, got 8',
    ],
    [
      { group, model: 'GAT', options: { d: 8, heads: 3 } },
      'run: expected options.heads to be a divisor of options.d = 8, got 3',
    ],
    [
      { group, model: 'FullGN', options: { d: 1 } },
      'run: expected options.attentionChannels to be less than options.d = 1',
    ],
    [
      { group, model: 'GGNN', plan: 'con' },
      "expected plan to be cone or dense, got 'con' (did you mean cone?)",
    ],
    [
      { group, model: 'GGNN', options: { globalReduction: '<script>' } },
      "run: expected options.globalReduction to be sum or mean, got '<script>'",
    ],
  ])('%j', ([settings, message]) => refuses(settings, message));

  it('a run that would not fit into memory, by what it would take', () => {
    refuses(
      { group, model: 'GGNN-MulMlp', options: { d: 1_000_000 } },
      /^run: expected parameters that take at most 2 GiB with their optimiser, got [\d,]+ GiB for options.d = 1000000/,
    );
    refuses(
      { group: 'SINE-SZ1024-STP16-NDRP-STD0.2', model: 'GGNN', batch: 4096 },
      /^run: expected a batch that takes at most 4 GiB, got [\d,]+ GiB for batch = 4096/,
    );
    refuses(
      { group: world({ size: 1000, rollouts: 2 ** 20, steps: 1000 }), model: 'GGNN' },
      /^run: group: expected walks that visit at most 536870912 nodes, got up to \d+ in 1048576 rollouts/,
    );
  });

  it('a world without enough nodes to train, validate and test', () => {
    const few = 'run: group: expected at least 3 nodes, to train, to validate and to test, got';
    refuses({ group: world({ nodeDrop: 1 }), model: 'GGNN' }, `${few} 0`);
    refuses({ group: world({ size: 1 }), model: 'GGNN' }, `${few} 1 with 0 edges in 1 × 1 cells`);
    refuses({ group: world({ size: 2, nodeDrop: 0.5 }), model: 'GGNN' }, `${few} 2`);
    refuses({ group: world({ edgeDrop: 1 }), model: 'GGNN' }, `${few} 16 with 0 edges`);
    refuses({ group: world({ steps: 0 }), model: 'GGNN' }, 'run: group: expected steps to be at least 1');
  });

  it('a world whose seed left too few nodes', () => {
    const sparse = world({ nodeDrop: 0.75 });
    const outcomes = Array.from({ length: 20 }, (_, seed) => {
      try {
        createTrainer({ group: sparse, model: 'RW-Stationary', options: { d: 2 }, seed }).dispose();
        return 'made';
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(new Set(outcomes.map((each) => each.replace(/\d+/g, 'n')))).toEqual(
      new Set(['made', expect.stringMatching(/^run: group: expected at least n nodes/) as string]),
    );
  });
});

describe('trained', () => {
  const epochOf = async (settings: RunSettings): Promise<EpochMetrics> => {
    const trainer = createTrainer({ epochs: 1, ...settings });
    try {
      for await (const event of training(trainer)) if (event.kind === 'epoch') return event.metrics;
      throw new Error('training ended without an epoch');
    } finally {
      trainer.dispose();
    }
  };

  it.for(modelNames)('%s where walks have one step, and in a world of 2 × 2', async (model) => {
    const options = { d: 4 };
    const one = await epochOf({ group: world({ steps: 1 }), model, options });
    const small = await epochOf({ group: world({ size: 2 }), model, options });
    for (const { loss, valid, test } of [one, small]) {
      expect(loss).toBeGreaterThan(0);
      expect(valid.raw.mrr).toBeGreaterThan(0);
      expect(test.raw.mrr).toBeGreaterThan(0);
    }
  });

  it('with a width that the defaults of channels and heads do not suit', () => {
    expect(resolveRun({ group, model: 'GGNN', options: { d: 6 } }).options).toEqual({
      d: 6,
      attentionChannels: 3,
    });
    expect(resolveRun({ group, model: 'GAT-Mul', options: { d: 8 } }).options).toEqual({ d: 8, heads: 4 });
    expect(resolveRun({ group, model: 'GAT-Mul', options: { d: 10 } }).options).toEqual({ d: 10 });
  });
});
