import { modelNames } from '@flowgrad/models';
import { expect, it } from 'vitest';
import { firstConfiguration, groupOf, runSettings } from './configuration.ts';
import type { Configuration } from './configuration.ts';
import { fromLink, toLink } from './link.ts';

it('a link is read back as the configuration it was made of', () => {
  expect(fromLink(toLink(firstConfiguration))).toEqual(firstConfiguration);
});

it.for(modelNames)('a link carries %s', (model) => {
  const [run] = firstConfiguration.runs;
  const configuration = { ...firstConfiguration, runs: [{ ...run, model }] };
  expect(fromLink(toLink(configuration))).toEqual(configuration);
});

it('a link carries a world of one’s own, a second run with settings of its own, and a source', () => {
  const [run] = firstConfiguration.runs;
  const configuration: Configuration = {
    world: {
      size: 9,
      steps: 5,
      sigma: 0.35,
      nodeDrop: 0.05,
      edgeDrop: 0.15,
      rollouts: 7,
      latentDirection: {
        ...{ a1: 1, b1: 0.25, a2: -1, b2: 0, omega: 0.3, lambda1: 0.1, lambda2: 0, phi: 1.5 },
        history: 'sum',
      },
    },
    seed: 77,
    runs: [
      { ...run, features: { frequencies: 8, embeddings: false }, options: { d: 12, weightDecay: 1e-7 } },
      {
        ...run,
        model: 'GAT-Mul',
        options: { d: 20, heads: 4 },
        batch: 3,
        learningRates: [1e-3],
        plan: 'dense',
      },
    ],
    device: { device: 'wasm', simd: 'plain', threads: 1 },
    source: { x: 3, y: 8 },
  };
  const link = toLink(configuration);
  expect(fromLink(`#${link}`)).toEqual(configuration);
  expect(link).toMatch(/^[\w.,=&-]+$/);
  expect(link).not.toMatch(/shuffling2/);
});

it('what is not right in a link is named', () => {
  expect(() => fromLink('siez=12')).toThrow(/link: expected a key among .*size.*, got 'siez'/);
  expect(() => fromLink('size=big')).toThrow("link: expected size to be a number, got 'big'");
  expect(() => fromLink('model=GNN')).toThrow(/expected model among RW-Stationary/);
  expect(() => fromLink('batch=0')).toThrow(/expected batch to be an integer/);
  expect(() => fromLink('device=tpu')).toThrow(/expected device among auto, webgpu, wasm, got 'tpu'/);
});

it('a world has its group’s name where there is one', () => {
  expect(groupOf(firstConfiguration.world)).toBe('SINE-SZ16-STP8-NDRP-STD0.2');
  const own = groupOf({ ...firstConfiguration.world, nodeDrop: 0.3 });
  expect(own).toMatchObject({ name: 'SINE-SZ16-STP8-N0.3-E0-STD0.2', nodeDrop: 0.3 });
});

it('options that a model does not take are not handed to it', () => {
  const [run] = firstConfiguration.runs;
  const runs = [{ ...run, options: { d: 8, heads: 4 } }];
  expect(runSettings({ ...firstConfiguration, runs }, 0).options).toEqual({ d: 8 });
});
