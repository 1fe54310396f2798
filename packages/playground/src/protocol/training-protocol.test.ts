import { checked } from '@flowgrad/schema';
import { describe, expect, it } from 'vitest';
import { newsSchema, trainingProtocol } from './training-protocol.ts';

const device = { device: 'webgpu', simd: 'plain', threads: 1 };
const runs = [{ settings: { group: 'LINE-SZ5-STP2-NDRP-STD0.2', model: 'GGNN-Mul' } }];
const prepare = (argument: unknown) => checked('prepare', trainingProtocol.prepare.takes, argument);

describe('what the page asks for', () => {
  it('is taken as it is', () => {
    expect(prepare({ device, runs })).toEqual({ device, runs });
  });

  it.for<[unknown, string]>([
    [
      { device: { ...device, threads: 1.5 }, runs },
      'expected device.threads to be an integer in 0..64, got 1.5',
    ],
    [
      { device: { ...device, device: 'wsam' }, runs },
      "expected device.device among auto, webgpu, wasm, got 'wsam' (did you mean wasm?)",
    ],
    [{ device, runs: [] }, 'expected runs to be a list of at least one, got []'],
    [
      { device, runs: [{ ...runs[0], stored: { parameters: [1] } }] },
      'expected runs.0.stored.parameters to be bytes, got [1]',
    ],
  ])('is refused by name: %j', ([argument, message]) => {
    expect(() => prepare(argument)).toThrow(`prepare: ${message}`);
  });
});

describe('what the worker tells', () => {
  const progress = {
    kind: 'progress',
    runs: [{ steps: [[1, 0.5]], epochs: [] }],
    stepsPerSecond: 2,
    memory: 0,
  };

  it('is taken as it is', () => {
    expect(checked('worker', newsSchema, progress)).toEqual(progress);
  });

  it.for<[unknown, string]>([
    [
      { ...progress, runs: [{ steps: [[1, NaN]], epochs: [] }] },
      'expected runs.0.steps to be steps and losses',
    ],
    [{ ...progress, runs: [{ steps: [], epochs: [{ epoch: 1 }] }] }, 'expected runs.0.epochs to be metrics'],
    [{ ...progress, memory: undefined }, 'expected memory to be a number ≥ 0, got undefined'],
  ])('is refused by name: %j', ([news, message]) => {
    expect(() => checked('worker', newsSchema, news)).toThrow(`worker: ${message}`);
  });
});
