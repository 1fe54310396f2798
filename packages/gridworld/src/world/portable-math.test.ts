import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cos, exp, sin, squareRoot } from './portable-math.ts';

const angle = fc.double({ min: -1000, max: 1000, noNaN: true });

describe('portable mathematics', () => {
  it('has a sine and a cosine within 1e-15 of the engine’s for angles of any walk', () => {
    fc.assert(
      fc.property(angle, (x) => {
        expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(1e-15);
        expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(1e-15);
      }),
      { numRuns: 2000 },
    );
  });

  it('has an exponential within a relative 2e-15', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(2e-15);
      }),
      { numRuns: 2000 },
    );
  });

  it('has a square root within a relative 4e-16, that of squares exactly', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
        expect(Math.abs(squareRoot(x) / Math.sqrt(x) - 1)).toBeLessThan(4e-16);
      }),
      { numRuns: 2000 },
    );
    expect([0, 1, 4, 9, 0.25, Infinity].map(squareRoot)).toEqual([0, 1, 2, 3, 0.5, Infinity]);
    expect(squareRoot(-1)).toBeNaN();
  });

  it('is exact where it must be', () => {
    expect([exp(0), sin(0), cos(0)]).toEqual([1, 0, 1]);
    expect([exp(-800), exp(800)]).toEqual([0, Infinity]);
  });

  it('refuses angles that it cannot reduce', () => {
    expect(() => sin(1e7)).toThrow('expected an angle within ±1e6, got 10000000');
    expect(() => cos(Number.NaN)).toThrow('got NaN');
  });
});
