/** What the reference itself must give at the corners, from IEEE 754 and the definitions: the loops cannot tell. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scope } from '../../core/scope.ts';
import type { Tensor } from '../../core/tensor.ts';
import { tensor } from '../../create/create.ts';
import { useReference } from '../../testing/vitest/use-reference.ts';
import { cast } from '../cast/cast.op.ts';
import { argmax } from '../reduce/argmax.op.ts';
import { max } from '../reduce/max.op.ts';
import { add, equal, greater, less, maximum, minimum, mul, notEqual, pow, sub } from './binary.op.ts';
import * as unary from './unary.op.ts';

useReference();

describe('whole numbers', () => {
  it('wrap around at 32 bits, as in every other language', async () => {
    const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
    await fc.assert(
      fc.asyncProperty(int32, int32, (a, b) =>
        scope(async () => {
          const [x, y] = [a, b].map((value) => tensor(value, { dtype: 'int32' }));
          const wrap = (exact: bigint): number => Number(BigInt.asIntN(32, exact));
          expect(await add(x, y).item()).toBe(wrap(BigInt(a) + BigInt(b)));
          expect(await sub(x, y).item()).toBe(wrap(BigInt(a) - BigInt(b)));
          expect(await mul(x, y).item()).toBe(wrap(BigInt(a) * BigInt(b)));
        }),
      ),
    );
  });

  it('come from floats towards zero, and stop at the ends of the range', async () => {
    const x = tensor([1.9, -1.9, 3e9, -3e9, Infinity, -Infinity, NaN]);
    const top = 2 ** 31 - 1;
    expect(Array.from(await cast(x, 'int32').data())).toEqual([1, -1, top, -top - 1, top, -top - 1, 0]);
  });
});

describe('at the corners', () => {
  const at = async (f: (x: Tensor) => Tensor, ...values: number[]): Promise<number[]> =>
    Array.from(await f(tensor(values)).data());

  it('functions have their limits', async () => {
    const ends = [Infinity, -Infinity];
    expect(await at(unary.exp, ...ends)).toEqual([Infinity, 0]);
    expect(await at(unary.log, 0, Infinity, -1)).toEqual([-Infinity, Infinity, NaN]);
    expect(await at(unary.tanh, ...ends)).toEqual([1, -1]);
    expect(await at(unary.sigmoid, 1000, -1000, ...ends)).toEqual([1, 0, 1, 0]);
    expect(await at(unary.softplus, 1000, -1000, ...ends)).toEqual([1000, 0, Infinity, 0]);
    expect(await at(unary.sqrt, -1, 0, Infinity)).toEqual([NaN, 0, Infinity]);
    expect(await at(unary.reciprocal, 0, -0, Infinity)).toEqual([Infinity, -Infinity, 0]);
    expect(await at(unary.relu, -2, 3, ...ends)).toEqual([0, 3, Infinity, 0]);
    expect(await at((x) => unary.leakyRelu(x, 0.5), -2, 3)).toEqual([-1, 3]);
    expect(await at((x) => unary.clamp(x, -1, 1), -5, 0.5, 5)).toEqual([-1, 0.5, 1]);
  });

  it('NaN comes out where NaN goes in', async () => {
    const { exp, log, sqrt, square, abs, neg, reciprocal, tanh, sigmoid, relu, softplus, leakyRelu, clamp } =
      unary;
    const plain = [exp, log, sqrt, square, abs, neg, reciprocal, tanh, sigmoid, relu, softplus];
    for (const f of [...plain, (x: Tensor) => leakyRelu(x), (x: Tensor) => clamp(x, 0, 1)]) {
      expect(await at(f, NaN)).toEqual([NaN]);
    }
    for (const f of [add, sub, mul, maximum, minimum, pow]) {
      expect(await at((x) => f(x, 1), NaN)).toEqual([NaN]);
      expect(await at((x) => f(2, x), NaN)).toEqual([NaN]);
    }
    expect(await at((x) => max(x), 1, NaN, 2)).toEqual([NaN]);
  });

  it('NaN is unequal to everything and ordered with nothing', async () => {
    const nan = (f: typeof equal) => at((x) => cast(f(x, x), 'float32'), NaN);
    expect([await nan(equal), await nan(less), await nan(greater)].flat()).toEqual([0, 0, 0]);
    expect(await nan(notEqual)).toEqual([1]);
  });

  it('argmax takes the first of equals, and NaN before anything', async () => {
    expect(await at((x) => argmax(x), 1, 3, 3)).toEqual([1]);
    expect(await at((x) => argmax(x), 1, NaN, 3)).toEqual([1]);
    expect(await at((x) => argmax(x), -Infinity, -Infinity)).toEqual([0]);
  });

  it('a power of 0 is 1, and 0 to a power is 0', async () => {
    expect(await at((x) => pow(x, 0), 0, 5)).toEqual([1, 1]);
    expect(await at((x) => pow(0, x), 0, 5)).toEqual([1, 0]);
  });
});
