import { parameter, tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { createAdam } from './adam.ts';
import type { Progress, Schedule } from './rate.ts';
import { schedules } from './schedules.ts';

useReference();

describe('schedules.constant', () => {
  it('gives its rate at every step, with or without an epoch', () => {
    const schedule = schedules.constant(0.1);
    expect(schedule({ step: 1, epoch: undefined })).toBe(0.1);
    expect(schedule({ step: 999, epoch: 7 })).toBe(0.1);
  });

  it('refuses what is no rate', () => {
    expect(() => schedules.constant(-1)).toThrow(
      'schedules.constant: rate must be a finite number ≥ 0, got -1',
    );
  });
});

describe('schedules.piecewise', () => {
  const rates = [5e-4, 4e-4, 3e-4, 2e-4, 1e-4];

  it('gives the paper’s rates: 5, 4, 3, 2, 1 ×1e−4, 10 epochs each', () => {
    const schedule = schedules.piecewise({ rates, epochsEach: 10 });
    const over50 = Array.from({ length: 50 }, (_, epoch) => schedule({ step: 1, epoch }));
    expect(over50).toEqual(rates.flatMap((rate) => Array.from({ length: 10 }, () => rate)));
  });

  it('stays at the last rate', () => {
    expect(schedules.piecewise({ rates, epochsEach: 10 })({ step: 1, epoch: 500 })).toBe(1e-4);
  });

  it('keeps its rates when the caller’s array changes', () => {
    const own = [1, 2];
    const schedule = schedules.piecewise({ rates: own, epochsEach: 1 });
    own[0] = 9;
    expect(schedule({ step: 1, epoch: 0 })).toBe(1);
  });

  it('asks for the epoch', () => {
    expect(() => schedules.piecewise({ rates, epochsEach: 10 })({ step: 1, epoch: undefined })).toThrow(
      'schedules.piecewise: expected an epoch, got none (pass it: adam.apply(grads, { epoch }))',
    );
  });

  it.for<[object, string]>([
    [{ rates: [], epochsEach: 1 }, 'the number of rates must be a whole number ≥ 1, got 0'],
    [{ rates: [1, NaN], epochsEach: 1 }, 'rates[1] must be a finite number ≥ 0, got NaN'],
    [{ rates: [1], epochsEach: 0 }, 'epochsEach must be a whole number ≥ 1, got 0'],
    [{ rates: [1], epochsEach: 1, by: 2 }, "expected options among rates, epochsEach, got 'by'"],
  ])('refuses %o', ([options, message]) => {
    expect(() => schedules.piecewise(options as Parameters<typeof schedules.piecewise>[0])).toThrow(
      `schedules.piecewise: ${message}`,
    );
  });
});

describe('schedules.cosine', () => {
  const at = (schedule: Schedule, ...steps: number[]): number[] =>
    steps.map((step) => schedule({ step, epoch: undefined }));

  it('falls from the rate to the end along half a cosine, and stays there', () => {
    const schedule = schedules.cosine({ rate: 0.5, steps: 4, end: 0.1 });
    // cos of 0, π/4, π/2, 3π/4 and π.
    const expected = [1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1].map((cosine) => 0.3 + 0.2 * cosine);
    for (const [i, rate] of at(schedule, 1, 2, 3, 4, 5).entries()) expect(rate).toBeCloseTo(expected[i], 12);
    expect(at(schedule, 500)[0]).toBeCloseTo(0.1, 12);
  });

  it('ends at 0 unless told otherwise', () => {
    expect(at(schedules.cosine({ rate: 0.5, steps: 1 }), 1, 2)).toEqual([0.5, 0]);
  });

  it.for<[object, string]>([
    [{ rate: 1, steps: 0 }, 'steps must be a whole number ≥ 1, got 0'],
    [{ rate: -1, steps: 1 }, 'rate must be a finite number ≥ 0, got -1'],
    [{ rate: 1, steps: 1, end: NaN }, 'end must be a finite number ≥ 0, got NaN'],
    [{ rate: 1, epochs: 1 }, "expected options among rate, steps, end, got 'epochs'"],
  ])('refuses %o', ([options, message]) => {
    expect(() => schedules.cosine(options as Parameters<typeof schedules.cosine>[0])).toThrow(
      `schedules.cosine: ${message}`,
    );
  });
});

describe('schedules.warmUp', () => {
  it('rises in a straight line to a rate, and stays there', () => {
    const schedule = schedules.warmUp({ steps: 4, to: 0.8 });
    const rates = [1, 2, 3, 4, 5, 99].map((step) => schedule({ step, epoch: undefined }));
    for (const [i, rate] of [0.2, 0.4, 0.6, 0.8, 0.8, 0.8].entries()) expect(rates[i]).toBeCloseTo(rate, 12);
  });

  it('rises to the start of a schedule, whose steps it counts from there, and passes the epoch on', () => {
    const asked: Progress[] = [];
    const schedule = schedules.warmUp({ steps: 2, to: (at) => (asked.push(at), 1 / at.step) });
    expect([1, 2, 3, 4].map((step) => schedule({ step, epoch: step + 10 }))).toEqual([0.5, 1, 1, 0.5]);
    expect(asked.map(({ step }) => step)).toEqual([1, 1, 1, 2]);
    expect(asked.map(({ epoch }) => epoch)).toEqual([11, 12, 13, 14]);
  });

  it.for<[object, string]>([
    [{ steps: 0, to: 1 }, 'steps must be a whole number ≥ 1, got 0'],
    [{ steps: 1, to: -1 }, 'to must be a finite number ≥ 0, got -1'],
    [{ steps: 1, then: 1 }, "expected options among steps, to, got 'then'"],
  ])('refuses %o', ([options, message]) => {
    expect(() => schedules.warmUp(options as Parameters<typeof schedules.warmUp>[0])).toThrow(
      `schedules.warmUp: ${message}`,
    );
  });
});

describe('schedules.plateau', () => {
  const make = (options: object): ReturnType<typeof schedules.plateau> =>
    schedules.plateau({ rate: 0.8, better: 'lower', patience: 2, factor: 0.5, ...options });
  const rates = (schedule: ReturnType<typeof make>, values: number[]): number[] =>
    values.map((value) => (schedule.observe(value), schedule({ step: 1, epoch: undefined })));

  it('lowers the rate after each run of values that do not improve', () => {
    //                        best  –    best –    –    –    –    best
    expect(rates(make({}), [5, 6, 4, 4, 7, 4, 9, 3])).toEqual([0.8, 0.8, 0.8, 0.8, 0.4, 0.4, 0.2, 0.2]);
  });

  it('asks for more than minDelta, upwards where higher is better', () => {
    const schedule = make({ better: 'higher', minDelta: 1, patience: 1 });
    expect(rates(schedule, [1, 2, 2.5, 3])).toEqual([0.8, 0.4, 0.4, 0.2]);
  });

  it('does not go below minRate, and starts at its rate', () => {
    const schedule = make({ minRate: 0.5, patience: 1 });
    expect(schedule({ step: 1, epoch: undefined })).toBe(0.8);
    expect(rates(schedule, [1, 1, 1])).toEqual([0.8, 0.5, 0.5]);
  });

  it('steers an optimiser', async () => {
    const p = parameter(tensor([1]));
    const learningRate = make({ patience: 1, factor: 0.25 });
    const adam = createAdam(new Map([['p', p]]), { learningRate });
    const move = async (): Promise<number> => {
      const [before] = await p.data();
      adam.apply(new Map([[p, tensor([1])]]));
      return before - (await p.data())[0];
    };
    const first = await move();
    for (const value of [1, 1]) learningRate.observe(value);
    expect(await move()).toBeCloseTo(first / 4, 5);
  });

  it.for<[object, string]>([
    [{ factor: 1 }, 'factor must be in 0 < factor < 1, got 1'],
    [{ minRate: 1 }, 'minRate must be at most the rate 0.8, got 1'],
    [{ patience: 0 }, 'patience must be a whole number ≥ 1, got 0'],
    [{ better: 'max' }, "expected better among lower, higher, got 'max'"],
    [{ mode: 'max' }, "expected options among rate, better, patience, minDelta, factor, minRate, got 'mode'"],
  ])('refuses %o', ([options, message]) => {
    expect(() => make(options)).toThrow(`schedules.plateau: ${message}`);
  });

  it('refuses a value that is no number', () => {
    expect(() => make({}).observe(NaN)).toThrow(
      'schedules.plateau: the value observed must be a number, got NaN',
    );
  });
});
