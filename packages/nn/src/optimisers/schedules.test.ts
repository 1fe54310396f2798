import { describe, expect, it } from 'vitest';
import { schedules } from './schedules.ts';

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
    [{ rates: [1], epochsEach: 1, by: 2 }, "could not resolve option 'by' among {rates, epochsEach}"],
  ])('refuses %o', ([options, message]) => {
    expect(() => schedules.piecewise(options as Parameters<typeof schedules.piecewise>[0])).toThrow(
      `schedules.piecewise: ${message}`,
    );
  });
});
