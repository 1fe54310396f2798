import {
  add,
  assign,
  memory,
  mul,
  normal,
  ones,
  parameter,
  randomKey,
  recompute,
  reshape,
  rowIndex,
  scope,
  tensor,
  valueAndGrad,
  zeros,
} from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { disposeModule, parameters, states } from '../module/module.ts';
import { expectGradients, weightedTotal } from '../testing/finite-differences.ts';
import { createBatchNorm } from './batch-norm.ts';
import { createGraphNorm } from './graph-norm.ts';
import { createLayerNorm } from './layer-norm.ts';

useReference({ precision: 'float64' });

const training = { step: 0 };
const key = randomKey(11);
const d = 3;

/** Parameters away from where they start, so that each has its say. */
function stirred<M extends object>(module: M): M {
  for (const [name, p] of parameters(module)) assign(p, add(p, normal(key.child(name), p.shape)));
  return module;
}
const values = async (x: Tensor): Promise<number[]> => [...(await x.data())];
const rowsOf = async (x: Tensor): Promise<number[][]> => (await x.toArray()) as number[][];
const meanOf = (list: readonly number[]): number => list.reduce((total, v) => total + v, 0) / list.length;
const varianceOf = (list: readonly number[], around: number): number =>
  meanOf(list.map((value) => (value - around) ** 2));

async function expectRowsClose(actual: Tensor, expected: readonly (readonly number[])[]): Promise<void> {
  expect(actual.shape).toEqual([expected.length, d]);
  const flat = await actual.data();
  for (const [i, value] of expected.flat().entries()) expect(flat[i]).toBeCloseTo(value, 10);
}

describe('LayerNorm', () => {
  it('is the equation, row by row', async () => {
    const norm = stirred(createLayerNorm({ d, epsilon: 0.01 }));
    const x = normal(key, [5, d], { mean: 2 });
    const [gain, shift] = [await values(norm.gain), await values(norm.shift)];
    const expected = (await rowsOf(x)).map((row) => {
      const [m, v] = [meanOf(row), varianceOf(row, meanOf(row))];
      return row.map((value, c) => (gain[c] * (value - m)) / Math.sqrt(v + 0.01) + shift[c]);
    });
    await expectRowsClose(norm.apply(x), expected);
    await expectRowsClose(reshape(norm.apply(reshape(x, [5, 1, d])), [5, d]), expected);
  });

  it('gives the shift for a row that does not vary, and takes no rows', async () => {
    const norm = stirred(createLayerNorm({ d }));
    await expectRowsClose(norm.apply(tensor([[7, 7, 7]])), [await values(norm.shift)]);
    expect(norm.apply(zeros([0, d])).shape).toEqual([0, d]);
  });
});

describe('BatchNorm', () => {
  it('is the equation, column by column over the batch, in training', async () => {
    const norm = stirred(createBatchNorm({ d, epsilon: 0.01 }));
    const x = normal(key, [6, d], { mean: 2 });
    const [gain, shift] = [await values(norm.gain), await values(norm.shift)];
    const rows = await rowsOf(x);
    const column = (c: number): number[] => rows.map((row) => row[c]);
    const expected = rows.map((row) =>
      row.map((value, c) => {
        const m = meanOf(column(c));
        return (gain[c] * (value - m)) / Math.sqrt(varianceOf(column(c), m) + 0.01) + shift[c];
      }),
    );
    await expectRowsClose(norm.apply(x, training), expected);
    await expectRowsClose(reshape(norm.apply(reshape(x, [2, 3, d]), training), [6, d]), expected);
  });

  it('runs its statistics along in training, and evaluates by them', async () => {
    const norm = stirred(createBatchNorm({ d, momentum: 0.3 }));
    const running = Array.from({ length: d }, () => ({ mean: 0, variance: 1 }));
    for (let step = 0; step < 4; step++) {
      const x = normal(key.child(step), [5, d], { mean: step });
      norm.apply(x, { step });
      const rows = await rowsOf(x);
      for (const [c, of] of running.entries()) {
        const column = rows.map((row) => row[c]);
        const m = meanOf(column);
        of.mean = 0.7 * of.mean + 0.3 * m;
        of.variance = 0.7 * of.variance + (0.3 * varianceOf(column, m) * 5) / 4;
      }
    }
    const [gain, shift] = [await values(norm.gain), await values(norm.shift)];
    const row = [1, -2, 0.5];
    const expected = row.map((value, c) => {
      const { mean, variance } = running[c];
      return (gain[c] * (value - mean)) / Math.sqrt(variance + 1e-5) + shift[c];
    });
    await expectRowsClose(norm.apply(tensor([row])), [expected]);
    await expectRowsClose(norm.apply(tensor([row])), [expected]);
  });

  it('counts a batch once when its forward pass is computed again for the gradient', async () => {
    const [norm, plain] = [createBatchNorm({ d }), createBatchNorm({ d })];
    const x = normal(key, [4, d]);
    const { grads } = valueAndGrad(() => weightedTotal(recompute(() => norm.apply(x, training))));
    const expected = valueAndGrad(() => weightedTotal(plain.apply(x, training)));
    expect(await values(norm.running.mean)).toEqual(await values(plain.running.mean));
    expect(await values(grads.get(norm.gain)!)).toEqual(await values(expected.grads.get(plain.gain)!));
  });

  it('evaluates alike when its forward pass is computed again for the gradient', async () => {
    const norm = stirred(createBatchNorm({ d }));
    const x = normal(key, [4, d]);
    norm.apply(x, training);
    const { grads } = valueAndGrad(() => weightedTotal(recompute(() => norm.apply(x))));
    const expected = valueAndGrad(() => weightedTotal(norm.apply(x)));
    expect(await values(grads.get(norm.gain)!)).toEqual(await values(expected.grads.get(norm.gain)!));
  });

  it('has statistics that are state: saved, not trained, and without a gradient', () => {
    const norm = createBatchNorm({ d });
    expect([...parameters(norm).keys()]).toEqual(['gain', 'shift']);
    expect([...states(norm).keys()]).toEqual(['running.mean', 'running.variance']);
    const x = normal(key, [4, d]);
    for (const mode of [training, undefined]) {
      const { grads } = valueAndGrad(() => weightedTotal(norm.apply(x, mode)));
      expect([...grads.keys()]).toEqual([norm.gain, norm.shift]);
    }
  });

  it('gives the shift for columns that do not vary', async () => {
    const norm = stirred(createBatchNorm({ d }));
    const shift = await values(norm.shift);
    await expectRowsClose(norm.apply(mul(ones([2, d]), 7), training), [shift, shift]);
  });

  it('evaluates one row and none, and refuses to train on them', () => {
    const norm = createBatchNorm({ d });
    for (const rows of [0, 1]) {
      expect(norm.apply(zeros([rows, d])).shape).toEqual([rows, d]);
      expect(() => norm.apply(zeros([rows, d]), training)).toThrow(
        `batchNorm: expected at least 2 rows to train on, got x [${rows}, 3] (leave out the last, partial batch)`,
      );
    }
  });

  it('refuses a momentum that is none, and a mode that is none', () => {
    for (const momentum of [0, 1.5, NaN]) {
      expect(() => createBatchNorm({ d, momentum })).toThrow(
        `createBatchNorm: momentum must be in 0 < momentum ≤ 1, got ${momentum}`,
      );
    }
    expect(() => createBatchNorm({ d }).apply(zeros([2, d]), true as never)).toThrow(
      'batchNorm: training must be { step }, or left out to evaluate, got true',
    );
  });
});

describe('GraphNorm', () => {
  const x = (): Tensor => normal(key, [6, d], { mean: 2 });

  async function plainGraphNorm(
    norm: ReturnType<typeof createGraphNorm>,
    rows: number[][],
    graphOf: number[],
  ): Promise<number[][]> {
    const [gain, shift, alpha] = await Promise.all([norm.gain, norm.shift, norm.centring].map(values));
    return rows.map((row, i) =>
      row.map((value, c) => {
        const column = rows.filter((_, j) => graphOf[j] === graphOf[i]).map((other) => other[c]);
        const centre = alpha[c] * meanOf(column);
        return (gain[c] * (value - centre)) / Math.sqrt(varianceOf(column, centre) + 1e-5) + shift[c];
      }),
    );
  }

  it.for<[string, number[]]>([
    ['side by side', [0, 0, 0, 2, 2, 3]],
    ['in any order', [2, 0, 3, 0, 2, 0]],
  ])('is the equation, graph by graph, nodes %s; a graph may have one node or none', async ([, graphOf]) => {
    const norm = stirred(createGraphNorm({ d }));
    const input = x();
    const expected = await plainGraphNorm(norm, await rowsOf(input), graphOf);
    await expectRowsClose(norm.apply(input, rowIndex(graphOf, 4)), expected);
  });

  it('takes all rows for one graph when not told otherwise', async () => {
    const norm = stirred(createGraphNorm({ d }));
    const input = x();
    const expected = await plainGraphNorm(norm, await rowsOf(input), [0, 0, 0, 0, 0, 0]);
    await expectRowsClose(norm.apply(input), expected);
  });

  it('has gradients of 0 for no nodes', async () => {
    const norm = createGraphNorm({ d });
    for (const graphs of [undefined, rowIndex([], 2)]) {
      const { grads } = valueAndGrad(() => weightedTotal(norm.apply(zeros([0, d]), graphs)));
      for (const gradient of grads.values()) expect(await values(gradient)).toEqual([0, 0, 0]);
    }
  });

  it('asks for rows of nodes', () => {
    expect(() => createGraphNorm({ d }).apply(zeros([2, 2, d]))).toThrow(
      'graphNorm: x must have shape [n, 3], got [2, 2, 3]',
    );
    expect(() => createGraphNorm({ d }).apply(zeros([3, d]), rowIndex([0, 1], 2))).toThrow(
      'graphNorm: graphs must have the graph of each row, 3 of them, got 2',
    );
  });
});

describe('every norm', () => {
  interface Norm {
    apply(x: Tensor): Tensor;
  }
  const graphs = (): RowIndex => rowIndex([0, 0, 1, 1, 1], 2);
  const makers: [string, (options: { d: number; epsilon?: number }) => Norm][] = [
    ['createLayerNorm', createLayerNorm],
    ['createBatchNorm', createBatchNorm],
    ['createGraphNorm', createGraphNorm],
  ];
  const inTraining: [string, (x: Tensor) => { module: object; y: () => Tensor }][] = [
    ['LayerNorm', (x) => ((n) => ({ module: n, y: () => n.apply(x) }))(createLayerNorm({ d }))],
    [
      'BatchNorm in training',
      (x) => ((n) => ({ module: n, y: () => n.apply(x, training) }))(createBatchNorm({ d })),
    ],
    ['BatchNorm in evaluation', (x) => ((n) => ({ module: n, y: () => n.apply(x) }))(createBatchNorm({ d }))],
    ['GraphNorm of one graph', (x) => ((n) => ({ module: n, y: () => n.apply(x) }))(createGraphNorm({ d }))],
    [
      'GraphNorm of two graphs',
      (x) => ((n, of) => ({ module: n, y: () => n.apply(x, of) }))(createGraphNorm({ d }), graphs()),
    ],
  ];

  it.for(inTraining)('%s has the gradients of finite differences', async ([, make]) => {
    const x = parameter(normal(key, [5, d]));
    const { module, y } = make(x);
    stirred(module);
    await expectGradients(() => weightedTotal(y()), new Map([['x', x], ...parameters(module)]));
  });

  it.for(makers)('%s starts by normalising alone', async ([, make]) => {
    const named = parameters(make({ d }));
    expect(await values(named.get('gain')!)).toEqual([1, 1, 1]);
    expect(await values(named.get('shift')!)).toEqual([0, 0, 0]);
  });

  it.for(makers)('%s refuses options, widths and x that do not fit', ([name, make]) => {
    expect(() => make({ d, bias: true } as never)).toThrow(
      new RegExp(`^${name}: expected options among d, .*, got 'bias'`),
    );
    expect(() => make({ d: 0 })).toThrow(`${name}: d must be a whole number ≥ 1, got 0`);
    expect(() => make({ d, epsilon: 0 })).toThrow(`${name}: epsilon must be a finite number > 0, got 0`);
    expect(() => make({ d }).apply(zeros([4, 2]))).toThrow(/x must have shape \[.*n, 3\], got \[4, 2\]/);
    expect(() => make({ d }).apply(zeros([3]))).toThrow(/x must have shape \[.*n, 3\], got \[3\]/);
  });

  it.for(makers)('%s is kept by a scope, leaves only its result, and nothing when freed', ([, make]) => {
    const before = memory();
    const norm = scope(() => make({ d }));
    const x = ones([2, d]);
    const made = memory().buffers;
    const y = scope(() => norm.apply(x));
    expect(memory().buffers).toBe(made + 1);
    for (const tensor of [x, y]) tensor.dispose();
    disposeModule(norm);
    expect(memory()).toEqual(before);
  });
});
