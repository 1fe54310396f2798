import {
  concat,
  gather,
  grad,
  mean,
  memory,
  parameter,
  randomKey,
  rowIndex,
  scope,
  square,
  sum,
  tensor,
  traceOps,
  uniform,
  zeros,
} from '@flowgrad/tensor';
import type { TableRows, Tensor } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { initialisers } from '../initialisers/initialisers.ts';
import type { Initialiser } from '../initialisers/initialisers.ts';
import { disposeModule, parameters } from '../module/module.ts';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { createEmbedding } from './embedding.ts';
import { createGruCell } from './gru-cell.ts';
import { createLinear } from './linear.ts';
import { createTypedLinear } from './typed-linear.ts';

useReference({ precision: 'float64' });

const key = randomKey(5);
/** Values that tell every position apart. */
const counting = (): Initialiser => (_key, shape) => {
  const size = shape.reduce((a, b) => a * b, 1);
  return tensor(
    Float64Array.from({ length: size }, (_, i) => (i + 1) / 10),
    { shape },
  );
};
const shapes = (module: object): Record<string, readonly number[]> =>
  Object.fromEntries([...parameters(module)].map(([name, { shape }]) => [name, shape]));
const close = async (actual: Tensor, expected: number[][]): Promise<void> => {
  const values = await actual.data();
  expect(actual.shape).toEqual([expected.length, expected[0].length]);
  for (const [i, value] of expected.flat().entries()) expect(values[i]).toBeCloseTo(value, 12);
};

describe('Linear', () => {
  it('is x·W + b', async () => {
    const layer = createLinear({ in: 2, out: 3, key, w: counting(), b: counting() });
    expect(shapes(layer)).toEqual({ w: [2, 3], b: [3] });
    await close(layer.apply(tensor([[1, 10]])), [[4.1 + 0.1, 5.2 + 0.2, 6.3 + 0.3]]);
  });

  it('takes batches of matrices', () => {
    const layer = createLinear({ in: 2, out: 3, key });
    expect(layer.apply(zeros([5, 4, 2])).shape).toEqual([5, 4, 3]);
    expect(layer.apply(zeros([5, 0, 2])).shape).toEqual([5, 0, 3]);
  });

  it('is one op for rows', () => {
    const layer = createLinear({ in: 2, out: 3, key });
    const x = zeros([4, 2]);
    expect(traceOps(() => layer.apply(x)).ops.map(({ op }) => op)).toEqual(['linear']);
  });

  it('starts Glorot uniform with bias 0', async () => {
    const layer = createLinear({ in: 2, out: 4, key });
    expect(Math.max(...(await layer.w.data()).map(Math.abs))).toBeLessThanOrEqual(1);
    expect(new Set(await layer.w.data()).size).toBe(8);
    expect(await layer.b!.toArray()).toEqual([0, 0, 0, 0]);
  });

  it('has no b when told so', async () => {
    const layer = createLinear({ in: 1, out: 1, key, w: counting(), b: false });
    expect(Object.keys(layer)).toEqual(['w', 'apply']);
    await close(layer.apply(tensor([[3]])), [[0.30000000000000004]]);
  });

  it('says what x should have been', () => {
    const layer = createLinear({ in: 2, out: 3, key });
    expect(() => layer.apply(zeros([4, 3]))).toThrow('linear: x must have shape [.., n, 2], got [4, 3]');
    expect(() => layer.apply(zeros([2]))).toThrow('linear: x must have shape [.., n, 2], got [2]');
  });
});

describe('TypedLinear', () => {
  it('is x·W + b with the kernel of the row’s type', async () => {
    const layer = createTypedLinear({ types: 2, in: 2, out: 1, key, w: counting(), b: counting() });
    expect(shapes(layer)).toEqual({ w: [2, 2, 1], b: [2, 1] });
    const x = tensor([
      [1, 10],
      [1, 10],
      [2, 0],
    ]);
    await close(layer.apply(x, rowIndex([1, 0, 1], 2)), [[4.3 + 0.2], [2.1 + 0.1], [0.6 + 0.2]]);
  });

  it('starts within the limit of its stack, and needs no bias', async () => {
    const layer = createTypedLinear({ types: 6, in: 3, out: 1, key, b: false });
    expect(shapes(layer)).toEqual({ w: [6, 3, 1] });
    expect(Math.max(...(await layer.w.data()).map(Math.abs))).toBeLessThanOrEqual(0.5);
    expect(layer.apply(zeros([0, 3]), rowIndex([], 6)).shape).toEqual([0, 1]);
  });
});

describe('Embedding', () => {
  it('looks rows up, duplicates and none included, and is its table', async () => {
    const layer = createEmbedding({ count: 3, d: 2, key, w: counting() });
    expect(shapes(layer)).toEqual({ w: [3, 2] });
    await close(layer.lookup(rowIndex([2, 0, 2], 3)), [
      [0.5, 0.6],
      [0.1, 0.2],
      [0.5, 0.6],
    ]);
    expect(layer.lookup(rowIndex([], 3)).shape).toEqual([0, 2]);
  });

  it('sums the gradients of a row that is looked up twice', async () => {
    const layer = createEmbedding({ count: 3, d: 1, key });
    const [dw] = grad(() => sum(layer.lookup(rowIndex([2, 0, 2], 3))), [layer.w]);
    await close(dw, [[1], [0], [2]]);
  });

  it('starts small', async () => {
    const values = await createEmbedding({ count: 50, d: 4, key }).w.data();
    expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(0.02 * (1 + 1e-6));
    expect(new Set(values).size).toBeGreaterThan(190);
  });
});

/** Rows of a table, and what was made of it. */
function tableRows(
  table: Tensor,
  ids: readonly number[],
): TableRows & { readonly made: Map<object, unknown> } {
  const [rows, made] = [rowIndex(ids, table.shape[0]), new Map<object, unknown>()];
  const once: TableRows['once'] = (owner, make) => {
    if (!made.has(owner)) made.set(owner, make(table));
    return made.get(owner) as ReturnType<typeof make>;
  };
  const isMade = (owner: object): boolean => made.has(owner);
  return { table, rows, made, once, isMade, read: (other = table) => gather(other, rows) };
}

/** Holds the gradients of one function to those of another that should be the same. */
async function expectGradients(one: () => Tensor, other: () => Tensor, of: readonly Tensor[]): Promise<void> {
  const gradients = (fn: () => Tensor): Promise<ArrayLike<number>[]> =>
    Promise.all(grad(() => mean(square(fn())), of).map((each) => each.data()));
  const [found, wanted] = [await gradients(one), await gradients(other)];
  for (const [i, each] of found.entries()) {
    expect(Array.from(each)).toEqual(Array.from(wanted[i], (value) => expect.closeTo(value, 10) as number));
  }
}

const some = (name: string, shape: readonly number[]): Tensor =>
  parameter(uniform(key.child(name), shape, { min: -1 }));

/** So many rows that their table is multiplied with gradients, too; all but one is too few. */
const many = 1028;
const idsInto = (rows: number, count = many): number[] =>
  Array.from({ length: count }, (_, i) => (i * i) % rows);

describe('Linear, of parts', () => {
  const create = () => createLinear({ in: 7, out: 2, key });
  const readAll = (parts: readonly (Tensor | TableRows)[]): Tensor =>
    concat(
      parts.map((part) => ('table' in part ? part.read() : part)),
      1,
    );

  it.each([
    ['first', 0],
    ['in between', 1],
    ['last', 2],
  ])('multiplies the table that rows of one are read of, once: %s', async (_where, place) => {
    const layer = create();
    const [x, y, table] = [some('x', [many, 2]), some('y', [many, 1]), some('table', [4, 4])];
    const u = tableRows(table, idsInto(4));
    const parts: (Tensor | TableRows)[] = [x, y];
    parts.splice(place, 0, u);
    const expected = (await layer.apply(readAll(parts)).toArray()) as number[][];
    for (let step = 0; step < 2; step++) await close(layer.apply(parts), expected);
    const ops = traceOps(() => void layer.apply(parts)).ops.map(({ op }) => op);
    expect(ops.sort()).toEqual(['add', 'concat', 'gather', 'linear']);
    u.made.clear();
    const joined = (): Tensor => layer.apply(readAll(parts));
    await expectGradients(() => layer.apply(parts), joined, [layer.w, layer.b!, table]);
    expect(u.made.size).toBeGreaterThan(0);
  });

  it('multiplies each table of several, whatever lies between them', async () => {
    const layer = create();
    const [x, y, table, other] = [
      ...[some('x', [many, 1]), some('y', [many, 2])],
      ...[some('table', [3, 3]), some('other', [4, 1])],
    ];
    const [u, g] = [tableRows(table, idsInto(3)), tableRows(other, idsInto(4))];
    const parts = [x, u, y, g];
    const joined = (): Tensor => layer.apply(readAll(parts));
    const expected = (await joined().toArray()) as number[][];
    for (let step = 0; step < 2; step++) await close(layer.apply(parts), expected);
    expect(traceOps(() => void layer.apply(parts)).ops.filter(({ op }) => op === 'matmul')).toEqual([]);
    for (const { made } of [u, g]) made.clear();
    await expectGradients(() => layer.apply(parts), joined, [layer.w, layer.b!, x, y, table, other]);
    expect(g.made.size).toBe(1);
  });

  it('reads the rows with gradients where that spares less than the ops it takes', async () => {
    const layer = create();
    const [x, table, other] = [some('x', [many - 1, 3]), some('table', [3, 3]), some('other', [4, 1])];
    const [u, g] = [tableRows(table, idsInto(3, many - 1)), tableRows(other, idsInto(4, many - 1))];
    const parts = [u, x, g];
    await expectGradients(
      () => layer.apply(parts),
      () => layer.apply(readAll(parts)),
      [layer.w, table],
    );
    expect([u.made.size, g.made.size]).toEqual([0, 0]);
  });

  it('reads the rows where there is nothing but tables', async () => {
    const layer = create();
    const parts = [tableRows(some('table', [2, 3]), [1, 0, 1]), tableRows(some('other', [4, 4]), [3, 3, 0])];
    await close(layer.apply(parts), (await layer.apply(readAll(parts)).toArray()) as number[][]);
  });

  it('joins parts that are all tensors', async () => {
    const layer = create();
    const [x, y] = [some('x', [3, 5]), some('y', [3, 2])];
    await close(layer.apply([x, y]), (await layer.apply(concat([x, y], 1)).toArray()) as number[][]);
  });
});

describe('GruCell', () => {
  const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

  it('has the parameters of two kernels, the gates’ bias at 1', async () => {
    const cell = createGruCell({ in: 3, d: 2, key });
    expect(shapes(cell)).toEqual({ 'gate.w': [5, 4], 'gate.b': [4], 'cand.w': [5, 2], 'cand.b': [2] });
    expect(await cell.gate.b.toArray()).toEqual([1, 1, 1, 1]);
    expect(await cell.cand.b.toArray()).toEqual([0, 0]);
    expect(Math.max(...(await cell.gate.w.data()).map(Math.abs))).toBeLessThanOrEqual(Math.sqrt(6 / 9));
    expect(await cell.gate.w.data()).not.toEqual(await cell.cand.w.data());
  });

  it('multiplies the table that rows of x are read of, once; with gradients not where rows are few', async () => {
    const cell = createGruCell({ in: 5, d: 2, key });
    const [x, h, table] = [some('x', [3, 2]), some('h', [3, 2]), some('table', [2, 3])];
    const u = tableRows(table, [1, 0, 1]);
    const { made } = u;
    for (const parts of [
      [x, u],
      [u, x],
    ]) {
      const read = parts.map((part) => ('table' in part ? part.read() : part));
      const expected = (await cell.apply(read, h).toArray()) as number[][];
      const apply = (): Tensor => cell.apply(parts, h);
      await close(apply(), expected);
      expect(made.size).toBe(1);
      expect(traceOps(() => void apply()).ops.map(({ op }) => op)).toEqual(['gruCell']);
      made.clear();
      // With gradients few rows are read: products of parts of the weights would be more ops than those they spare.
      grad(() => sum(apply()), [cell.gate.w]);
      expect(made.size).toBe(0);
    }
  });

  it('multiplies the table with gradients too where it has far fewer rows', async () => {
    const cell = createGruCell({ in: 5, d: 2, key });
    const [x, h, table] = [some('x', [many, 2]), some('h', [many, 2]), some('table', [4, 3])];
    const u = tableRows(table, idsInto(4));
    const { gate, cand } = cell;
    await expectGradients(
      () => cell.apply([u, x], h),
      () => cell.apply([u.read(), x], h),
      [gate.w, gate.b, cand.w, cand.b, x, h, table],
    );
    expect(u.made.size).toBe(1);
  });

  it('with gradients, reads few rows of the products too, once it has made them', async () => {
    const cell = createGruCell({ in: 5, d: 2, key });
    const [x, h, table] = [some('x', [many, 2]), some('h', [many, 2]), some('table', [4, 3])];
    const [x3, h3] = [some('x3', [3, 2]), some('h3', [3, 2])];
    const u = tableRows(table, idsInto(4));
    const few = { ...tableRows(table, [3, 0, 3]), once: u.once, isMade: u.isMade };
    const both = (first: readonly (Tensor | TableRows)[], then: readonly (Tensor | TableRows)[]): Tensor =>
      concat([cell.apply(first, h), cell.apply(then, h3)], 0);
    await expectGradients(
      () => both([u, x], [few, x3]),
      () => both([u.read(), x], [few.read(), x3]),
      [cell.gate.w, cell.cand.w, x3, h3, table],
    );
    const gathers = (then: TableRows): number =>
      traceOps(() => {
        u.made.clear();
        grad(() => sum(both([u, x], [then, x3])), [table]);
      })
        .ops.filter(({ op }) => op === 'gather')
        .reduce((total, { count }) => total + count, 0);
    expect(gathers(few)).toBe(gathers({ ...few, isMade: () => false }) - 1);
  });

  it('is the equation, the reset before the product', async () => {
    const cell = createGruCell({ in: 1, d: 1, key });
    const [[gxr, gxz], [ghr, ghz]] = (await cell.gate.w.toArray()) as number[][];
    const [[cx], [ch]] = (await cell.cand.w.toArray()) as number[][];
    const [x, h] = [0.7, -1.3];
    const r = sigmoid(x * gxr + h * ghr + 1);
    const z = sigmoid(x * gxz + h * ghz + 1);
    const c = Math.tanh(x * cx + r * h * ch);
    const f64 = (value: number): Tensor => tensor(Float64Array.of(value), { shape: [1, 1] });
    await close(cell.apply(f64(x), f64(h)), [[z * h + (1 - z) * c]]);
  });
});

describe('every layer', () => {
  const makers: [string, (extra: object) => object][] = [
    ['createLinear', (extra) => createLinear({ in: 2, out: 3, key, ...extra })],
    ['createTypedLinear', (extra) => createTypedLinear({ types: 2, in: 2, out: 3, key, ...extra })],
    ['createEmbedding', (extra) => createEmbedding({ count: 2, d: 3, key, ...extra })],
    ['createGruCell', (extra) => createGruCell({ in: 2, d: 3, key, ...extra })],
  ];
  const extents: Record<string, string> = { createEmbedding: 'count' };

  it.for(makers)('%s refuses options it does not know', ([name, make]) => {
    expect(() => make({ bias: true })).toThrow(new RegExp(`^${name}: expected options among .*, got 'bias'`));
  });

  it.for(makers)('%s refuses extents that are not whole and positive', ([name, make]) => {
    const extent = extents[name] ?? 'in';
    for (const value of [0, -1, 1.5, NaN, undefined]) {
      expect(() => make({ [extent]: value })).toThrow(
        `${name}: ${extent} must be a whole number ≥ 1, got ${value}`,
      );
    }
  });

  it.for(makers)('%s asks for a key', ([name, make]) => {
    expect(() => make({ key: 42 })).toThrow(
      `${name}: key must be a RandomKey, got number (make it with randomKey)`,
    );
  });

  it.for(makers)('%s starts alike from the same key and otherwise from another', async ([, make]) => {
    const values = async (extra: object): Promise<unknown[]> =>
      Promise.all([...parameters(make(extra)).values()].map((p) => p.data()));
    expect(await values({})).toEqual(await values({}));
    expect(await values({})).not.toEqual(await values({ key: key.child(1) }));
  });

  it.for(makers)('%s is kept by a scope that returns it', ([, make]) => {
    const layer = scope(() => make({}));
    expect([...parameters(layer).values()].some((p) => p.disposed)).toBe(false);
  });

  it.for(makers)('%s leaves nothing when freed', ([, make]) => {
    const before = memory();
    disposeModule(make({}));
    expect(memory()).toEqual(before);
  });

  it('draws each parameter from the child of its key that bears its name', async () => {
    const draw = initialisers.truncatedNormal();
    const linear = createLinear({ in: 2, out: 3, key, w: draw, b: draw });
    expect(await linear.w.data()).toEqual(await draw(key.child('w'), [2, 3]).data());
    expect(await linear.b!.data()).toEqual(await draw(key.child('b'), [3]).data());
    const { gate, cand } = createGruCell({ in: 1, d: 2, key });
    const kernel = (name: string, shape: number[]): Tensor =>
      initialisers.glorotUniform()(key.child(name).child('w'), shape);
    expect(await gate.w.data()).toEqual(await kernel('gate', [3, 4]).data());
    expect(await cand.w.data()).toEqual(await kernel('cand', [3, 2]).data());
  });

  it('frees what it made when an initialiser is wrong', () => {
    const before = memory();
    expect(() => createLinear({ in: 2, out: 3, key, b: (_key) => zeros([2]) })).toThrow(
      'createLinear: b must start with shape [3], got [2] from its initialiser',
    );
    expect(memory()).toEqual(before);
  });
});
