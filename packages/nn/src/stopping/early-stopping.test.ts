import { describe, expect, it } from 'vitest';
import type { PatienceOptions } from './best-value.ts';
import { createEarlyStopping } from './early-stopping.ts';

describe('early stopping', () => {
  it('stops when patience epochs in a row brought nothing better, and names the best', () => {
    const stopping = createEarlyStopping({ better: 'lower', patience: 2 });
    const seen = [3, 2, 2.5, 1, 1, 4].map((value) => [stopping.observe(value), stopping.stop]);
    expect(seen.map(([improved]) => improved)).toEqual([true, true, false, true, false, false]);
    expect(seen.map(([, stop]) => stop)).toEqual([false, false, false, false, false, true]);
    expect(stopping.best).toEqual({ epoch: 3, value: 1 });
  });

  it('does not stop before a value was observed, nor know a best one', () => {
    const stopping = createEarlyStopping({ better: 'higher', patience: 1 });
    expect(stopping.stop).toBe(false);
    expect(stopping.best).toBeUndefined();
  });

  it('asks for more than minDelta, upwards where higher is better', () => {
    const stopping = createEarlyStopping({ better: 'higher', patience: 9, minDelta: 0.5 });
    expect([1, 1.5, 1.75, 0, 2.25, 2.5].map(stopping.observe)).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
    ]);
    expect(stopping.best).toEqual({ epoch: 5, value: 2.5 });
  });

  it('takes infinities, and refuses what is no number', () => {
    const stopping = createEarlyStopping({ better: 'lower', patience: 1 });
    expect([Infinity, 5].map(stopping.observe)).toEqual([true, true]);
    for (const value of [NaN, undefined]) {
      expect(() => stopping.observe(value as number)).toThrow(
        `createEarlyStopping: the value observed must be a number, got ${value}`,
      );
    }
    expect(stopping.best).toEqual({ epoch: 1, value: 5 });
  });

  it.for<[object, string]>([
    [{ patience: 1.5 }, 'patience must be a whole number ≥ 1, got 1.5'],
    [{ minDelta: -1 }, 'minDelta must be a finite number ≥ 0, got -1'],
    [{ better: undefined }, "expected better among lower, higher, got 'undefined'"],
    [{ restore: true }, "expected options among better, patience, minDelta, got 'restore'"],
  ])('refuses %o', ([options, message]) => {
    const all = { better: 'lower', patience: 1, ...options } as PatienceOptions;
    expect(() => createEarlyStopping(all)).toThrow(`createEarlyStopping: ${message}`);
  });
});
