/** NumPy broadcasting against a naive implementation, on shapes that fast-check makes up. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { grad } from './grad/grad.ts';
import { scope } from '../core/scope.ts';
import { tensor } from '../create/create.ts';
import { useReference } from '../testing/vitest/use-reference.ts';
import { mul, sub } from './elementwise/binary.op.ts';
import { sum } from './reduce/sum.op.ts';
import { broadcastTo } from './shape/broadcast-to.op.ts';

useReference({ precision: 'float64' });

/** Two shapes that broadcast, and the shape they broadcast to. */
const shapes = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom('both', 'left', 'right')), { maxLength: 4 })
  .chain((axes) =>
    fc.tuple(fc.nat({ max: axes.length }), fc.nat({ max: axes.length })).map(([cutA, cutB]) => {
      const a = axes.map(([extent, side]) => (side === 'right' ? 1 : extent)).slice(cutA);
      const b = axes.map(([extent, side]) => (side === 'left' ? 1 : extent)).slice(cutB);
      return { a, b };
    }),
  );

/** The rule as NumPy's manual words it: missing axes are 1, and 1 is stretched. */
function naive(
  a: readonly number[],
  b: readonly number[],
  f: (x: number, y: number) => number,
): { shape: number[]; values: number[] } {
  const rank = Math.max(a.length, b.length);
  const left = [...new Array<number>(rank - a.length).fill(1), ...a];
  const right = [...new Array<number>(rank - b.length).fill(1), ...b];
  const shape = left.map((extent, axis) => (extent === 1 ? right[axis] : extent));
  const values: number[] = [];
  const at = (own: readonly number[], index: readonly number[]): number =>
    index.reduce((flat, i, axis) => flat * own[axis] + (own[axis] === 1 ? 0 : i), 0);
  const visit = (index: number[]): void => {
    if (index.length === rank) values.push(f(valueA(at(left, index)), valueB(at(right, index))));
    else for (let i = 0; i < shape[index.length]; i++) visit([...index, i]);
  };
  visit([]);
  return { shape, values };
}

const valueA = (flat: number): number => flat + 1;
const valueB = (flat: number): number => 100 * (flat + 1);
const size = (shape: readonly number[]): number => shape.reduce((product, extent) => product * extent, 1);
const fill = (shape: readonly number[], value: (flat: number) => number) =>
  tensor(
    Array.from({ length: size(shape) }, (_, i) => value(i)),
    { shape },
  );

it('combines values as NumPy does', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, ({ a, b }) =>
      scope(async () => {
        const expected = naive(a, b, (x, y) => x - y);
        const actual = sub(fill(a, valueA), fill(b, valueB));
        expect(actual.shape).toEqual(expected.shape);
        expect(Array.from(await actual.data())).toEqual(expected.values);
      }),
    ),
    { numRuns: 300 },
  );
});

it('gives each operand the gradient summed over its copies', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, ({ a, b }) =>
      scope(async () => {
        const [x, y] = [fill(a, valueA), fill(b, valueB)];
        const [dx, dy] = grad(() => sum(mul(x, y)), [x, y]);
        // d Σ x·y / dx_i is the sum of the y that meet x_i.
        const expectedX = new Array<number>(size(a)).fill(0);
        const expectedY = new Array<number>(size(b)).fill(0);
        naive(a, b, (u, v) => {
          expectedX[u - 1] += v;
          expectedY[v / 100 - 1] += u;
          return 0;
        });
        expect(Array.from(await dx.data())).toEqual(expectedX);
        expect(Array.from(await dy.data())).toEqual(expectedY);
      }),
    ),
    { numRuns: 200 },
  );
});

it('broadcastTo repeats values as broadcasting against that shape would', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, ({ a, b }) =>
      scope(async () => {
        const { shape, values } = naive(a, b, (x) => x);
        expect(Array.from(await broadcastTo(fill(a, valueA), shape).data())).toEqual(values);
      }),
    ),
    { numRuns: 200 },
  );
});

it('refuses shapes whose extents differ and are not 1', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 5 }),
      fc.integer({ min: 2, max: 5 }),
      fc.nat({ max: 3 }),
      (m, n, behind) => {
        fc.pre(m !== n);
        const tail = new Array<number>(behind).fill(2);
        scope(() => {
          expect(() => sub(fill([m, ...tail], valueA), fill([n, ...tail], valueB))).toThrow(
            `(axis −${behind + 1}: ${m} against ${n})`,
          );
        });
      },
    ),
  );
});
