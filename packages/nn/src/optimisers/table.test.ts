import {
  add,
  gather,
  memory,
  mul,
  parameter,
  rowIndex,
  scope,
  square,
  sum,
  tensor,
  valueAndGrad,
  zeros,
} from '@flowgrad/tensor';
import type { RowIndex, Tensor } from '@flowgrad/tensor';
import { describe, expect, it } from 'vitest';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { loadAdam, saveAdam } from '../checkpoint/adam-file.ts';
import { createAdam, createAdamW } from './adam.ts';
import type { AdamOptions } from './adam-options.ts';
import { schedules } from './schedules.ts';

useReference({ precision: 'float64' });

const isTable = (name: string): boolean => name === 'u';
const count = 12;

/** u [12, 3], of which a step reads a few rows, and w, which all steps read. */
function startValues(): { u: Tensor; w: Tensor; named: Map<string, Tensor> } {
  const u = parameter(
    tensor(
      Float64Array.from({ length: 3 * count }, (_, i) => Math.sin(i)),
      { shape: [count, 3] },
    ),
  );
  const w = parameter(tensor(Float64Array.of(0.5, -1, 2)));
  return { u, w, named: new Map(Object.entries({ u, w })) };
}

/** The rows that a step reads: rows 0 to 3 often, 4 to 10 seldom, 11 never. */
const rowsOf = (step: number): number[] => [step % 4, ...(step % 37 === 5 ? [4 + (step % 7)] : [])];

const lossOf = (u: Tensor, w: Tensor, index: RowIndex): Tensor =>
  sum(square(add(mul(gather(u, index), w), -0.3)));

/** All values after so many steps, the table read by row or as a whole. */
async function train(
  steps: number,
  options: Omit<AdamOptions, 'byRow'>,
  { byRow, create = createAdam }: { byRow: boolean; create?: typeof createAdam },
): Promise<number[][]> {
  const { u, w, named } = startValues();
  const adam = create(named, { ...options, ...(byRow && { byRow: isTable }) });
  for (let step = 1; step <= steps; step++) {
    scope(() => {
      const index = rowIndex(rowsOf(step), count);
      if (!byRow) {
        adam.apply(valueAndGrad(() => lossOf(u, w, index)).grads, { epoch: step >> 6 });
        return;
      }
      adam.catchUp(u, index);
      adam.apply(valueAndGrad(() => lossOf(u, w, index), { byRow: [u] }).grads, { epoch: step >> 6 });
    });
  }
  adam.catchUp();
  const { first, second } = adam.moments.get('u')!;
  return Promise.all([u, w, first, second].map(async (each) => [...(await each.data())]));
}

function expectClose(got: number[][], wanted: number[][]): void {
  got.forEach((values, i) => {
    values.forEach((value, j) => {
      expect(Math.abs(value - wanted[i][j])).toBeLessThan(1e-12 * (1 + Math.abs(wanted[i][j])));
    });
  });
}

describe('a table that is updated by row', () => {
  const learningRate = schedules.piecewise({ rates: [1e-2, 3e-3, 1e-3], epochsEach: 2 });

  it.each<[string, Omit<AdamOptions, 'byRow'>, typeof createAdam]>([
    ['Adam', { learningRate }, createAdam],
    ['Adam with decay', { learningRate, weightDecay: { rate: 1e-2, on: isTable } }, createAdam],
    ['AdamW', { learningRate }, createAdamW],
    ['Adam of other rates', { learningRate, beta1: 0.5, beta2: 0.9, epsilon: 1e-3 }, createAdam],
  ])('ends where updating all of it would, after hundreds of steps: %s', async (_, options, create) => {
    const [byRow, whole] = await Promise.all(
      [true, false].map((byRow) => train(400, options, { byRow, create })),
    );
    expectClose(byRow, whole);
  });

  it('takes a gradient of the whole where all rows were read', async () => {
    const run = async (byRow: boolean): Promise<number[]> => {
      const { u, w, named } = startValues();
      const adam = createAdam(named, { learningRate: 0.1, ...(byRow && { byRow: isTable }) });
      for (const all of [false, true, false]) {
        const index = rowIndex([2, 5], count);
        if (byRow) adam.catchUp(u, all ? undefined : index);
        const loss = (): Tensor => (all ? sum(square(mul(u, w))) : lossOf(u, w, index));
        adam.apply(byRow ? valueAndGrad(loss, { byRow: [u] }).grads : valueAndGrad(loss).grads);
      }
      adam.catchUp();
      return [...(await u.data())];
    };
    expectClose([await run(true)], [await run(false)]);
  });

  it('is caught up in a file, and goes on from there', async () => {
    const { u, w, named } = startValues();
    const adam = createAdam(named, { learningRate: 0.1, byRow: isTable });
    const step = (ids: readonly number[]): void => {
      const index = rowIndex(ids, count);
      adam.catchUp(u, index);
      adam.apply(valueAndGrad(() => lossOf(u, w, index), { byRow: [u] }).grads);
    };
    [[1], [2], [3]].forEach(step);
    const file = await saveAdam(adam);
    const values = await u.data();
    loadAdam(adam, file);
    adam.catchUp();
    expect(await u.data()).toEqual(values);
    expect(adam.step).toBe(3);
    expect(() => {
      step([1]);
    }).not.toThrow();
  });

  it('refuses a gradient of rows that were read before they were caught up', async () => {
    const { u, w, named } = startValues();
    const adam = createAdam(named, { learningRate: 0.1, byRow: isTable });
    const gradients = (ids: readonly number[]) =>
      valueAndGrad(() => lossOf(u, w, rowIndex(ids, count)), { byRow: [u] }).grads;
    adam.apply(gradients([1, 2]));
    const before = await w.data();
    expect(() => {
      adam.apply(gradients([2, 7]));
    }).toThrow(
      "adam.apply: expected the rows of 'u' that were read to be as of step 1, got row 7 as of step 0 " +
        '(adam.catchUp(table, index) before the rows of index are read)',
    );
    expect(adam.step).toBe(1);
    expect(await w.data()).toEqual(before);
  });

  it('says what is wrong', () => {
    const { u, w, named } = startValues();
    const adam = createAdam(named, { learningRate: 0.1 });
    expect(() => {
      adam.apply(valueAndGrad(() => lossOf(u, w, rowIndex([1], count)), { byRow: [u] }).grads);
    }).toThrow(
      "adam.apply: expected the whole gradient of 'u', got rows of it (createAdam(…, { byRow }) chooses 'u')",
    );
    expect(() => {
      adam.catchUp(w);
    }).toThrow("adam.catchUp: expected a table among {}, got 'w' (the byRow option chooses them)");
    expect(() => createAdam(named, { learningRate: 0.1, byRow: isTable, clipNorm: 1 })).toThrow(
      'createAdam: expected clipNorm or byRow, got both (the norm of all gradients needs every row of a table)',
    );
    expect(() => createAdam(named, { learningRate: 0.1, byRow: (name) => name === 'v' })).toThrow(
      'createAdam: expected byRow to choose a parameter, got none among {u, w}',
    );
  });

  it('makes nothing of the size of the table in a step', () => {
    const rows = 100_000;
    const u = parameter(zeros([rows, 2]));
    const adam = createAdam(new Map([['u', u]]), { learningRate: 0.1, byRow: isTable });
    const start = memory().bytes;
    let most = 0;
    scope(() => {
      const index = rowIndex([7, 99_999], rows);
      adam.catchUp(u, index);
      const { grads } = valueAndGrad(() => sum(square(gather(u, index))), { byRow: [u] });
      adam.apply(grads);
      most = memory().bytes - start;
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(rows);
  });
});
