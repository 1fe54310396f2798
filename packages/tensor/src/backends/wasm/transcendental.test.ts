/**
 * exp, log, tanh, sigmoid and softplus against float64, in units in the last place of the float32 result: spread over
 * every exponent, near the places where the formulas change, and at the corners.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { setBackend } from '../../core/backend.ts';
import { rowIndex } from '../../core/row-index.ts';
import { scope } from '../../core/scope.ts';
import type { Tensor } from '../../core/tensor.ts';
import { tensor } from '../../create/create.ts';
import { openWasm } from '../../node/index.ts';
import { attendedSum } from '../../ops/attended-sum/attended-sum.op.ts';
import { pow } from '../../ops/elementwise/binary.op.ts';
import { exp, log, sigmoid, softplus, tanh } from '../../ops/elementwise/unary.op.ts';
import { philox } from '../../random/philox.ts';

const backends = await Promise.all(
  (['plain', 'relaxed'] as const).map((simd) => openWasm({ threads: 1, simd })),
);
afterAll(() => setBackend(undefined));

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** The distance from one float32 to the next, at x; denormals are evenly spaced. */
function ulp(x: number): number {
  float[0] = Math.abs(x);
  if (!Number.isFinite(float[0])) return 2 ** 104;
  const exponent = bits[0] >>> 23;
  return 2 ** (Math.max(exponent, 1) - 127 - 23);
}

/** 32 random bits, a function of (i, seed). */
function word(i: number, seed: number): number {
  const block = new Uint32Array(4);
  philox(block, i, 0, 0, 0, seed, 0);
  return block[0];
}

/** Every bit pattern is as likely as any other, so all exponents, denormals and NaN are met. */
function anyFloats(count: number, seed: number): Float32Array {
  const patterns = Uint32Array.from({ length: count }, (_, i) => word(i, seed));
  return new Float32Array(patterns.buffer);
}

function between(count: number, min: number, max: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => min + ((max - min) * word(i, seed)) / 2 ** 32);
}

const corners = Float32Array.of(
  ...[0, -0, 1e-45, -1e-45, 1.1754942e-38, 1.17549435e-38, 1, -1, 0.99999994, 1.0000001, 88.72283, 88.72284],
  ...[89, -87.33654, -87.4, -103.97208, -104, -110, 9.01, 9.02, 1e30, -1e30, 3.4028235e38, -3.4028235e38],
  ...[Infinity, -Infinity, NaN],
);

function inputs(min: number, max: number): Float32Array {
  const parts = [corners, anyFloats(40_000, 7), between(40_000, min, max, 8), between(20_000, -1, 1, 9)];
  const all = new Float32Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Asserts the largest error, and returns it: NaN and infinities must be where float64 rounds to them. */
function worstError(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  exact: (i: number) => number,
): { readonly error: number; readonly at: number } {
  let worst = { error: 0, at: NaN };
  for (let i = 0; i < x.length; i++) {
    const wanted = exact(i);
    const rounded = Math.fround(wanted);
    if (Object.is(y[i], rounded)) continue;
    const bothFinite = Number.isFinite(y[i]) && Number.isFinite(rounded);
    // Next to overflow a rounding decides between the largest number and ∞.
    const beside = Math.abs(wanted) > 3.4e38 && Math.abs(y[i]) > 3.4e38;
    const error = bothFinite ? Math.abs(y[i] - wanted) / ulp(rounded) : beside ? 1 : Infinity;
    if (error > worst.error) worst = { error, at: x[i] };
  }
  return worst;
}

const logistic = (x: number): number => {
  const e = Math.exp(-Math.abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
};

const functions: readonly [string, (x: Tensor) => Tensor, (x: number) => number, number, number, number][] = [
  ['exp', exp, Math.exp, 2, -104, 89],
  ['log', log, Math.log, 2, 0, 100],
  ['tanh', tanh, Math.tanh, 2, -10, 10],
  ['sigmoid', sigmoid, logistic, 2, -104, 20],
  ['softplus', softplus, (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))), 2, -104, 20],
];

describe.for(backends.map((backend) => [backend.simd, backend] as const))('%s SIMD', ([, backend]) => {
  it.for(functions)('%s is within 2 ulp everywhere', async ([, run, exact, bound, min, max]) => {
    setBackend(backend);
    const x = inputs(min, max);
    const y = await scope(() => run(tensor(x)).data());
    const worst = worstError(x, y, (i) => exact(x[i]));
    expect(worst.error, `at ${worst.at}`).toBeLessThanOrEqual(bound);
  });

  it('pow is within 1 ulp, with the corners of JavaScript', async () => {
    setBackend(backend);
    const special = [0, -0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1e30, -1e30, Infinity, -Infinity, NaN];
    const a: number[] = [];
    const b: number[] = [];
    for (const base of special) {
      for (const exponent of special) {
        a.push(base);
        b.push(exponent);
      }
    }
    a.push(...between(40_000, 0, 20, 3), ...anyFloats(20_000, 4));
    b.push(...between(40_000, -30, 30, 5), ...between(20_000, -2, 2, 6));
    const bases = Float32Array.from(a);
    const exponents = Float32Array.from(b);
    const y = await scope(() => pow(tensor(bases), tensor(exponents)).data());
    const worst = worstError(bases, y, (i) => bases[i] ** exponents[i]);
    expect(worst.error, `at ${worst.at}`).toBeLessThanOrEqual(1);
  });

  it('the tanh of attendedSum is within 2 ulp of 1, whether attention is weak or strong', async () => {
    setBackend(backend);
    const [messages, width] = [4000, 10];
    const values = between(messages * width, -1, 1, 11);
    const bias = between(width, -3, 3, 12);
    // Around 1/64 the formula changes.
    const weights = between(messages, 0, 1, 13).map((x, k) => (k % 2 ? x / 32 : x ** 16));
    const ids = rowIndex(
      Array.from(weights, (_, k) => k),
      messages,
    );
    const out = await scope(() =>
      attendedSum(tensor(values, { shape: [messages, width] }), {
        from: ids,
        into: ids,
        weights: tensor(weights),
        bias: tensor(bias),
      }).data(),
    );
    const errors = out.map((y, i) =>
      Math.abs(y - Math.tanh(weights[Math.floor(i / width)] * values[i] + bias[i % width])),
    );
    expect(Math.max(...errors)).toBeLessThanOrEqual(2 ** -23);
  });
});
