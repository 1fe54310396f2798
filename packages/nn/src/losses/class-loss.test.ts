import { parameter, tensor, valueAndGrad } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import { describe, expect, it } from 'vitest';
import { classLoss } from './class-loss.ts';

useReference({ precision: 'float64' });

const values = [
  [0.5, -1, 2],
  [0, 0.25, 0],
  [3, 1, -2],
  [-0.5, 0.5, 1],
];
const labels = [2, 0, 1, 2];

/** −log softmax(row)[label], averaged over `rows`. */
const plain = (of: readonly (readonly number[])[], rows: readonly number[]): number =>
  rows
    .map((row) => Math.log(of[row].reduce((total, x) => total + Math.exp(x), 0)) - of[row][labels[row]])
    .reduce((total, each) => total + each / rows.length, 0);

describe('classLoss', () => {
  it.each([
    ['all rows', undefined],
    ['some rows', [3, 0]],
  ])('is the mean cross entropy of %s, and so is its gradient', async (_what, rows) => {
    const logits = parameter(tensor(values));
    const { value, grads } = valueAndGrad(() => classLoss(logits, labels, rows ? { rows } : {}), [logits]);
    const counted = rows ?? [0, 1, 2, 3];
    expect(await value.item()).toBeCloseTo(plain(values, counted), 10);
    const gradient = await grads.get(logits)!.data();
    for (let row = 0; row < 4; row++) {
      for (let c = 0; c < 3; c++) {
        const at = (shift: number): number =>
          plain(
            values.map((list, i) => list.map((x, k) => (i === row && k === c ? x + shift : x))),
            counted,
          );
        expect(gradient[row * 3 + c]).toBeCloseTo((at(1e-6) - at(-1e-6)) / 2e-6, 7);
      }
    }
  });

  it('refuses labels that do not fit', () => {
    const logits = tensor(values);
    expect(() => classLoss(logits, [1, 2])).toThrow(
      'classLoss: expected logits [n, classes] and n labels, got [4, 3] and 2',
    );
    expect(() => classLoss(logits, [0, 1, 2, 3])).toThrow('rowIndex');
    expect(() => classLoss(logits, labels, { row: [1] } as object)).toThrow(
      "classLoss: expected options among rows, got 'row'",
    );
  });
});
