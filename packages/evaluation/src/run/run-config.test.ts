import { parseGroupName } from '@flowgrad/gridworld';
import { describe, expect, it } from 'vitest';
import { resolveRun, variantName, worldName } from './run-config.ts';

const group = 'SINE-SZ32-STP16-NDRP-STD0.2';

describe('resolveRun', () => {
  it('fills in the choices of the paper', () => {
    expect(resolveRun({ group, model: 'GGNN' })).toEqual({
      group,
      model: 'GGNN',
      seed: 1,
      shuffling: 1,
      options: { d: 40 },
      epochs: 50,
      batch: 16,
      learningRates: [5e-4, 4e-4, 3e-4, 2e-4, 1e-4],
      plan: 'cone',
    });
  });

  it('takes the paper’s smaller batch and width for its larger worlds', () => {
    const large = resolveRun({ group: 'LINE-SZ64-STP32-NDRP-STD0.5', model: 'GAT' });
    expect(large).toMatchObject({ batch: 4, options: { d: 30 } });
    expect(resolveRun({ group: parseGroupName('LINE-SZ64-STP32-NDRP-STD0.5'), model: 'GAT' }).batch).toBe(4);
  });

  it('is the same after a way through JSON', () => {
    const config = resolveRun({ group, model: 'GGNN', features: { frequencies: 4 }, options: { d: 8 } });
    expect(resolveRun(JSON.parse(JSON.stringify(config)) as typeof config)).toEqual(config);
  });

  it.for<[string, object, string]>([
    [
      'a misspelt key',
      { epoch: 3 },
      "run: expected options among group, model, seed, shuffling, options, features, epochs, batch, learningRates, plan, averaging, layerDecay, share, worlds, keepNodes, keepEdges, module, got 'epoch'",
    ],
    [
      'a misspelt option',
      { options: { D: 3 } },
      "run: options: expected options among d, weightDecay, attentionChannels, heads, globalReduction, stopping, messageMemory, memory, clock, got 'D'",
    ],
    [
      'another model',
      { model: 'GNN' },
      'run: expected model among RW-Stationary, RW-Dynamic, FullGN, FullGN-NoAct',
    ],
    ['half an epoch', { epochs: 0.5 }, 'run: expected epochs to be an integer in 1..1000000, got 0.5'],
    ['no batch', { batch: 0 }, 'run: expected batch to be an integer in 1..65536, got 0'],
    ['a negative seed', { seed: -1 }, 'run: expected seed to be an integer in 0..4294967295, got -1'],
    ['no rates', { learningRates: [] }, 'run: expected learningRates to be one or more numbers ≥ 0, got []'],
    ['a NaN rate', { learningRates: [NaN] }, 'got [NaN]'],
    ['another plan', { plan: 'sparse' }, "run: expected plan to be cone or dense, got 'sparse'"],
    [
      'no frequencies',
      { features: { frequencies: 0 } },
      'run: expected features.frequencies to be an integer in 1..512, got 0',
    ],
    ['a wrong group', { group: 'SINUS-SZ32-STP16-NDRP-STD0.2' }, "got 'SINUS'"],
  ])('refuses %s', ([, settings, message]) => {
    expect(() => resolveRun({ group, model: 'GGNN', ...settings })).toThrow(message);
  });
});

describe('variantName', () => {
  it('is the model’s name for the paper’s settings, whatever the seeds', () => {
    expect(variantName(resolveRun({ group, model: 'GGNN', seed: 5, shuffling: 2 }))).toBe('GGNN');
  });

  it('says what differs from the paper', () => {
    const config = resolveRun({
      group,
      model: 'RW-Stationary',
      features: { frequencies: 8, embeddings: false },
      options: { d: 16 },
      epochs: 5,
      learningRates: [0.01],
      plan: 'dense',
    });
    expect(variantName(config)).toBe(
      'RW-Stationary+fourier8only+d=16+epochs=5+plan=dense+learningRates=0.01',
    );
  });
});

it('worldName is the group, or the name of a world of one’s own', () => {
  expect(worldName({ group })).toBe(group);
  expect(worldName({ group: { ...parseGroupName(group), name: 'mine' } })).toBe('mine');
});
