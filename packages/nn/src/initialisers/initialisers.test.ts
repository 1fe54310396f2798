import { randomKey } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { initialisers } from './initialisers.ts';

useReference();

const key = randomKey(11);

interface Sample {
  readonly mean: number;
  readonly deviation: number;
  readonly largest: number;
  readonly n: number;
}

async function sample(initialise: ReturnType<typeof initialisers.zeros>, shape: number[]): Promise<Sample> {
  const values = Array.from(await initialise(key, shape).data());
  const n = values.length;
  const mean = values.reduce((total, x) => total + x, 0) / n;
  const deviation = Math.sqrt(values.reduce((total, x) => total + (x - mean) ** 2, 0) / n);
  return { mean, deviation, largest: Math.max(...values.map(Math.abs)), n };
}

describe('initialisers.glorotUniform', () => {
  // For n draws, uniform in ±L: the mean has standard error L/√(3n), the deviation L/√3 has L/√(15n) (its relative
  // error is √(κ−1)/2 over √n with kurtosis κ = 9/5), and the largest of them is below 0.999 L with chance 0.999ⁿ.
  const cases: [string, number[], number][] = [
    ['a kernel [in, out]: √(6 / (in + out))', [120, 80], Math.sqrt(6 / 200)],
    ['a stack [9, in, out]: √(6 / (9(in + out)))', [9, 40, 30], Math.sqrt(6 / (9 * 70))],
    ['a stack [5, 9, in, out], counted over all leading axes', [5, 9, 40, 8], Math.sqrt(6 / (45 * 48))],
    ['a kernel with one output, [9, 120, 1]', [9, 1200, 1], Math.sqrt(6 / (9 * 1201))],
  ];
  it.for(cases)('is even up to the limit of %s', async ([, shape, limit]) => {
    const { mean, deviation, largest, n } = await sample(initialisers.glorotUniform(), shape);
    expect(n).toBeGreaterThan(9000);
    expect(Math.abs(mean)).toBeLessThan((4 * limit) / Math.sqrt(3 * n));
    expect(Math.abs(deviation - limit / Math.sqrt(3))).toBeLessThan((4 * limit) / Math.sqrt(15 * n));
    expect(largest).toBeLessThanOrEqual(limit);
    expect(largest).toBeGreaterThan(0.999 * limit);
  });

  it('gives other values for another key and the same for the same', async () => {
    const start = initialisers.glorotUniform();
    const draw = (k: typeof key): Promise<ArrayLike<number>> => start(k, [3, 4]).data();
    expect(await draw(key)).toEqual(await draw(key));
    expect(await draw(key.child('other'))).not.toEqual(await draw(key));
  });

  it('refuses what is not a kernel', () => {
    expect(() => initialisers.glorotUniform()(key, [5])).toThrow(
      'glorotUniform: expected a kernel [..., in, out], got shape [5]',
    );
  });
});

describe('initialisers.truncatedNormal', () => {
  // Cut at two deviations, a normal keeps 0.87963 of its deviation; the standard error of that is below σ/√(2n).
  const kept = 0.87963;
  const n = 20_000;

  it.for([undefined, 0.5])('has mean 0 and stays within two deviations, σ %s', async (given) => {
    const sigma = given ?? 0.01;
    const start = initialisers.truncatedNormal(given === undefined ? {} : { standardDeviation: given });
    const { mean, deviation, largest } = await sample(start, [n / 10, 10]);
    expect(Math.abs(mean)).toBeLessThan((4 * kept * sigma) / Math.sqrt(n));
    expect(Math.abs(deviation - kept * sigma)).toBeLessThan((4 * sigma) / Math.sqrt(2 * n));
    expect(largest).toBeLessThanOrEqual(2 * sigma * (1 + 1e-6));
    expect(largest).toBeGreaterThan(1.99 * sigma);
  });

  it('refuses options it does not know', () => {
    // @ts-expect-error: misspelt.
    expect(() => initialisers.truncatedNormal({ sigma: 1 })).toThrow(
      "initialisers.truncatedNormal: expected options among standardDeviation, got 'sigma'",
    );
  });
});

describe('initialisers.constant and zeros', () => {
  it('give one value everywhere', async () => {
    expect(await initialisers.constant(1.5)(key, [2, 2]).toArray()).toEqual([
      [1.5, 1.5],
      [1.5, 1.5],
    ]);
    expect(await initialisers.zeros()(key, [3]).toArray()).toEqual([0, 0, 0]);
  });

  it('refuse what is no number', () => {
    expect(() => initialisers.constant(NaN)).toThrow(
      'initialisers.constant: value must be a finite number, got NaN',
    );
  });
});
