/** Large products are left to the op that reads them: nobody sees a difference, whoever reads them. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { setBackend } from '../../core/backend.ts';
import { rowIndex } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { full, tensor } from '../../create/create.ts';
import { openWasm } from '../../node/index.ts';
import { attendedSum } from '../../ops/attended-sum/attended-sum.op.ts';
import { add } from '../../ops/elementwise/binary.op.ts';
import { neg } from '../../ops/elementwise/unary.op.ts';
import { linear } from '../../ops/linear/linear.op.ts';
import { matmul } from '../../ops/matmul/matmul.op.ts';
import { reshape } from '../../ops/shape/reshape.op.ts';
import { weightedSum } from '../../ops/weighted-sum/weighted-sum.op.ts';
import { relativeError } from '../../testing/compare.ts';

const backends = await Promise.all([1, 2].map((threads) => openWasm({ threads })));
afterAll(async () => {
  setBackend(undefined);
  await Promise.all(backends.map((backend) => backend.close()));
});

const [n, k, types, width] = [2000, 4, 9, 40];
const wave = (...shape: number[]): Tensor => {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return tensor(
    Float32Array.from({ length: size }, (_, i) => Math.sin(i * i)),
    { shape },
  );
};

describe.for(backends.map((backend) => [backend.device, backend] as const))('on %s', ([, backend]) => {
  beforeEach(() => {
    setBackend(backend);
    // What is not made is found: memory that is handed out next holds no numbers.
    for (const spoilt of [1, 2, 3].map(() => full([n, types * width], NaN))) spoilt.dispose();
  });

  const inputs = (): { x: Tensor; weight: Tensor; bias: Tensor } => ({
    x: wave(n, k),
    weight: wave(k, types * width),
    bias: wave(types * width),
  });
  const expectProduct = async (y: Tensor): Promise<void> => {
    const found = await y.data();
    const { x, weight, bias } = inputs();
    expect(relativeError(found, await add(matmul(x, weight), bias).data())).toBeLessThan(1e-6);
  };

  it('a product is there when it is read', async () => {
    const { x, weight, bias } = inputs();
    await expectProduct(linear(x, weight, bias));
  });

  it('a product is made before its inputs are given back', async () => {
    const { x, weight, bias } = inputs();
    const y = linear(x, weight, bias);
    for (const each of [x, weight, bias]) each.dispose();
    for (const { shape } of [x, weight, bias]) full(shape, NaN);
    await expectProduct(y);
  });

  it.for<[string, (y: Tensor, nothing: Tensor) => Tensor]>([
    ['reads it alone', (y) => neg(neg(y))],
    ['has a table of strides', (y, nothing) => add(y, nothing)],
  ])('a product is made before another op, which %s', async ([, run]) => {
    const { x, weight, bias } = inputs();
    const nothing = full([types * width], 0);
    await expectProduct(run(linear(x, weight, bias), nothing));
  });

  it('of two products the first is made too', async () => {
    const { x, weight, bias } = inputs();
    const [y, z] = [linear(x, weight, bias), linear(x, weight, bias)];
    await expectProduct(y);
    await expectProduct(z);
  });

  /** Row r reads values of all types, of rows around it or of any. */
  const senders: Record<string, (row: number, type: number) => number> = {
    'that follow each other': (row, type) => Math.min(n - 1, Math.max(0, row + 5 * (type - 4))),
    'in any order': (row, type) => (row * 7919 + type * 104_729) % n,
    'of which some are read by nobody': (row) => row >> 1,
  };

  const indices = (sender: (row: number, type: number) => number): Record<'from' | 'into', RowIndex> => {
    const ids = Array.from(
      { length: n * types },
      (_, e) => sender(Math.floor(e / types), e % types) * types + (e % types),
    );
    const into = ids.map((_, e) => Math.floor(e / types));
    return { from: rowIndex(ids, n * types), into: rowIndex(into, n) };
  };

  it.for(Object.entries(senders))('sums are the same, of rows %s', async ([, sender]) => {
    const { x, weight, bias } = inputs();
    const { from, into } = indices(sender);
    // All that is written is written before, as the product would be made first.
    const options = { from, into, weights: wave(n * types), bias: wave(width), unattended: wave(n, 1) };
    const y = linear(x, weight, bias);
    const sum = attendedSum(reshape(y, [n * types, width]), options);
    const values = tensor(await y.data(), { shape: [n * types, width] });
    expect(await sum.data()).toEqual(await attendedSum(values, options).data());
    await expectProduct(y);
  });

  it.for(Object.entries(senders))('weighted sums are the same, of rows %s', async ([, sender]) => {
    const { x, weight } = inputs();
    const w = wave(n * types, 5);
    const y = matmul(x, weight);
    // Indices are uploaded while the product waits.
    const { from, into: to } = indices(sender);
    const sum = weightedSum(w, reshape(y, [n * types, width]), { from, to });
    const made = await y.data();
    const same = linear(x, weight, full([types * width], 0));
    expect(relativeError(made, await same.data())).toBe(0);
    const values = tensor(made, { shape: [n * types, width] });
    expect(await sum.data()).toEqual(await weightedSum(w, values, { from, to }).data());
  });

  it('rows that weigh each other are all there', async () => {
    const { x, weight } = inputs();
    const y = matmul(x, weight);
    const falling = rowIndex(
      Array.from({ length: n }, (_, row) => n - 1 - row),
      n,
    );
    // Row r of the sum is row r of the product, weighed by row n − 1 − r.
    const sum = weightedSum(y, y, { from: falling, to: falling });
    const made = await y.data();
    const row = types * width;
    const expected = made.map((value, i) => value * made[(n - 1 - Math.floor(i / row)) * row + (i % row)]);
    expect(relativeError(await sum.data(), expected)).toBe(0);
  });
});

it('a product is there after the backend was closed', async () => {
  const backend = await openWasm({ threads: 2 });
  setBackend(backend);
  full([n, types * width], NaN).dispose();
  const y = linear(full([n, k], 1), full([k, types * width], 2), full([types * width], 3));
  await backend.close();
  expect(new Set(await y.data())).toEqual(new Set([11]));
});
