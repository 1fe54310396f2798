import { grad, mul, ones, parameter, randomKey, recompute, sum, tensor, zeros } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { createDropout } from './dropout.ts';
import type { Training } from './training.ts';

useReference();

const key = randomKey(3);

describe('Dropout', () => {
  it('is the identity in evaluation, and at rate 0 in training', () => {
    const x = tensor([[1, 2]]);
    expect(createDropout({ rate: 0.5, key }).apply(x)).toBe(x);
    expect(createDropout({ rate: 0, key }).apply(x, { step: 1 })).toBe(x);
  });

  it.for([0.1, 0.5, 0.9, 1 - 1e-6])('drops the part %s of the values and scales the others', async (rate) => {
    const n = 20_000;
    const y = await createDropout({ rate, key })
      .apply(ones([n / 10, 10]), { step: 0 })
      .data();
    const kept = y.filter((value) => value !== 0);
    expect(new Set(kept).size).toBeLessThanOrEqual(1);
    if (kept.length > 0) expect(kept[0]).toBeCloseTo(1 / (1 - rate), 5);
    // Four standard deviations of a binomial count.
    expect(Math.abs(n - kept.length - rate * n)).toBeLessThanOrEqual(4 * Math.sqrt(n * rate * (1 - rate)));
  });

  it('drops alike at the same step from the same key, otherwise at another step or from another key', async () => {
    const x = ones([64]);
    const drawn = async (from = key, step = 7): Promise<string> =>
      String(await createDropout({ rate: 0.5, key: from }).apply(x, { step }).data());
    expect(await drawn()).toBe(await drawn());
    expect(await drawn()).not.toBe(await drawn(key, 8));
    expect(await drawn()).not.toBe(await drawn(key.child('other')));
  });

  it('passes gradients where it kept the value, scaled alike, with recompute too', async () => {
    const { apply } = createDropout({ rate: 0.25, key });
    const x = parameter(ones([40]));
    const mask = await apply(ones([40]), { step: 2 }).data();
    expect(new Set(mask).size).toBe(2);
    const [dx] = grad(() => sum(apply(x, { step: 2 })), [x]);
    expect(await dx.data()).toEqual(mask);
    const [again] = grad(() => sum(recompute(() => mul(apply(x, { step: 2 }), 1))), [x]);
    expect(await again.data()).toEqual(mask);
  });

  it('takes a tensor of nothing', () => {
    const { apply } = createDropout({ rate: 0.5, key });
    expect(apply(zeros([0, 3]), { step: 0 }).shape).toEqual([0, 3]);
  });

  it.for<[unknown, string]>([
    [true, 'dropout: training must be { step }, or left out to evaluate, got true'],
    [null, 'dropout: training must be { step }, or left out to evaluate, got null'],
    [{ training: true }, "dropout: expected options among step, got 'training'"],
    [{}, 'dropout: step must be a whole number ≥ 0, got undefined'],
    [{ step: -1 }, 'dropout: step must be a whole number ≥ 0, got -1'],
  ])('refuses %o for training, at rate 0 too', ([training, message]) => {
    for (const rate of [0, 0.5]) {
      expect(() => createDropout({ rate, key }).apply(ones([1]), training as Training)).toThrow(message);
    }
  });

  it.for([1, -0.1, NaN, undefined])('refuses a rate of %s', (rate) => {
    expect(() => createDropout({ rate: rate as number, key })).toThrow(
      `createDropout: rate must be in 0 ≤ rate < 1, got ${rate}`,
    );
  });

  it('refuses options it does not know, and asks for a key', () => {
    // @ts-expect-error: another library's name for it.
    expect(() => createDropout({ p: 0.5, key })).toThrow(
      "createDropout: expected options among rate, key, got 'p'",
    );
    expect(() => createDropout({ rate: 0.5, key: 3 as never })).toThrow(
      'createDropout: key must be a RandomKey, got number (make it with randomKey)',
    );
  });
});
