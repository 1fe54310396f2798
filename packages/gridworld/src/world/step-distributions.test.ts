import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DYNAMICS, extendHistory, latentDirectionAt } from './latent-direction.ts';
import { directionProbabilities, StepDistributions } from './step-distributions.ts';

/** Unit vectors by angle, E first: independent of the tables in the source. */
const angleOf = (direction: number): number => (direction * Math.PI) / 4;

describe('latent directions', () => {
  it('are the paper’s four dynamics', () => {
    expect(latentDirectionAt(DYNAMICS.LINE, 3, 4, 5)).toEqual([1, 0.4]);
    expect(latentDirectionAt(DYNAMICS.SINE, 0, 4, 5)[1]).toBeCloseTo(Math.sin(1.6), 14);
    expect(latentDirectionAt(DYNAMICS.SINE, 3, 4, 5)[0]).toBe(1);
    expect(latentDirectionAt(DYNAMICS.SINE, 3, 4, 5)[1]).toBeCloseTo(Math.sin(0.4 * 3 + 1.6), 14);
    for (const dynamics of [DYNAMICS.LOCATION, DYNAMICS.HISTORY]) {
      const [dx, dy] = latentDirectionAt(dynamics, 3, 4, 5);
      expect([Math.cos(1.8), Math.sin(1.8)].map((d) => d.toFixed(14))).toEqual([
        dx.toFixed(14),
        dy.toFixed(14),
      ]);
    }
  });

  it('look at the current location, the maximum or the sum', () => {
    expect((['none', 'max', 'sum'] as const).map((history) => extendHistory(history, 5, 3))).toEqual([
      3, 5, 8,
    ]);
    expect((['none', 'max', 'sum'] as const).map((history) => extendHistory(history, 3, 5))).toEqual([
      5, 5, 8,
    ]);
  });
});

describe('directionProbabilities', () => {
  it('are proportional to exp(2 cos(angle to the latent direction) / σ²)', () => {
    const angle = fc.double({ min: -4, max: 4, noNaN: true });
    const sigma = fc.double({ min: 0.2, max: 3, noNaN: true });
    fc.assert(
      fc.property(angle, sigma, fc.double({ min: 0.1, max: 10, noNaN: true }), (theta, s, length) => {
        const weights = Array.from({ length: 8 }, (_, e) =>
          Math.exp((2 * Math.cos(theta - angleOf(e)) - 2) / s ** 2),
        );
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const actual = directionProbabilities(length * Math.cos(theta), length * Math.sin(theta), s);
        weights.forEach((weight, e) => expect(Math.abs(actual[e] - weight / total)).toBeLessThan(1e-12));
      }),
    );
  });

  it('prefer the edge that points in the latent direction', () => {
    const probabilities = directionProbabilities(0, 1, 0.2);
    expect(probabilities.indexOf(Math.max(...probabilities))).toBe(2);
  });

  it('are uniform where the latent direction has no length', () => {
    expect([...directionProbabilities(0, 0, 0.2)]).toEqual(new Array(8).fill(0.125));
  });
});

describe('StepDistributions', () => {
  it('hold cumulative probabilities in units of 2⁻³² that end at one', () => {
    const distributions = new StepDistributions(DYNAMICS.LOCATION, 0.5, 200);
    for (let i = 0; i < 200; i++) {
      const row = distributions.rowOf(0, i % 14, i);
      const cumulative = distributions.cumulative.subarray(row, row + 8);
      const probabilities = directionProbabilities(
        ...latentDirectionAt(DYNAMICS.LOCATION, 0, i % 14, i),
        0.5,
      );
      let sum = 0;
      probabilities.forEach((probability, e) => {
        sum += probability;
        expect(Number.isInteger(cumulative[e])).toBe(true);
        expect(Math.abs(cumulative[e] / 2 ** 32 - sum)).toBeLessThan(2 ** -32);
      });
      expect(cumulative[7]).toBe(2 ** 32);
    }
  });

  it('share a row between states that the latent direction does not tell apart', () => {
    const line = new StepDistributions(DYNAMICS.LINE, 0.2, 10);
    expect(line.rowOf(3, 1, 2)).toBe(line.rowOf(0, 0, 0));
    const sine = new StepDistributions(DYNAMICS.SINE, 0.2, 10);
    expect(sine.rowOf(1, 5, 5)).toBe(sine.rowOf(1, 0, 0));
    expect(sine.rowOf(1, 5, 5)).not.toBe(sine.rowOf(2, 5, 5));
  });
});
