import { memory, tensor, zeros } from '@flowgrad/tensor';
import { useReference } from '@flowgrad/tensor/testing/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accuracy, f1 } from './class-metrics.ts';
import type { F1Options } from './class-metrics.ts';
import { predictClasses } from './predict-classes.ts';

useReference();

/** Precision and recall of one class by their definitions, and their harmonic mean. */
function plainF1(predicted: number[], labels: number[], positive: number): number {
  const found = labels.filter((_, i) => predicted[i] === positive);
  const wanted = predicted.filter((_, i) => labels[i] === positive);
  const hits = found.filter((label) => label === positive).length;
  if (hits === 0) return 0;
  const [precision, recall] = [hits / found.length, hits / wanted.length];
  return (2 * precision * recall) / (precision + recall);
}

const rowsOfClasses = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 30 });
const columns = (rows: [number, number][]): [number[], number[]] => [
  rows.map(([p]) => p),
  rows.map(([, y]) => y),
];

describe('accuracy', () => {
  it('is the part of the rows that are right', () => {
    expect(accuracy([0, 1, 2, 2], Int32Array.of(0, 1, 1, 2))).toBe(0.75);
    expect(accuracy([1], [1])).toBe(1);
  });

  it('counts the rows it is told to', () => {
    expect(accuracy([0, 1, 2], [0, 0, 2], { rows: Int32Array.of(1, 2) })).toBe(0.5);
  });

  it.for<[() => number, string]>([
    [() => accuracy([1], [1, 2]), 'accuracy: expected a prediction for each of 2 labels, got 1'],
    [() => accuracy([], []), 'accuracy: expected at least one row, got none'],
    [() => accuracy([1], [1], { rows: [] }), 'accuracy: expected at least one row, got none'],
    [() => accuracy([1], [1], { rows: [1] }), 'accuracy: a row must be a whole number in 0..0, got 1'],
    [() => accuracy([0.5], [1]), 'accuracy: a class (row 0) must be a whole number ≥ 0, got 0.5'],
    [() => accuracy([0, 1], [0, -1]), 'accuracy: a class (row 1) must be a whole number ≥ 0, got -1'],
    [() => f1([2], [1], { average: 'binary' }), 'f1: a class must be 0 or 1 for binary F1, got 2'],
    [
      () => f1([1], [1], { average: 'weighted' } as unknown as F1Options),
      "f1: expected average among macro, micro, binary, got 'weighted'",
    ],
    [
      () => f1([1], [1], { average: 'micro', mask: [] } as F1Options),
      "f1: expected options among average, rows, got 'mask'",
    ],
  ])('and f1 refuse what they cannot count: %s', ([call, message]) => {
    expect(call).toThrow(message);
  });
});

describe('f1', () => {
  it('macro is the mean of the classes that occur', () => {
    fc.assert(
      fc.property(rowsOfClasses, (rows) => {
        const [predicted, labels] = columns(rows);
        const classes = [...new Set(rows.flat())];
        const scores = classes.map((one) => plainF1(predicted, labels, one));
        const expected = scores.reduce((a, b) => a + b) / scores.length;
        expect(f1(predicted, labels, { average: 'macro' })).toBeCloseTo(expected, 12);
      }),
    );
  });

  it('micro is the accuracy', () => {
    fc.assert(
      fc.property(rowsOfClasses, (rows) => {
        const [predicted, labels] = columns(rows);
        expect(f1(predicted, labels, { average: 'micro' })).toBeCloseTo(accuracy(predicted, labels), 12);
      }),
    );
  });

  it('binary is that of class 1', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1), fc.nat(1)), { minLength: 1 }), (rows) => {
        const [predicted, labels] = columns(rows);
        expect(f1(predicted, labels, { average: 'binary' })).toBeCloseTo(plainF1(predicted, labels, 1), 12);
      }),
    );
  });

  it('knows all labels of one class', () => {
    for (const average of ['macro', 'micro'] as const) expect(f1([2, 2], [2, 2], { average })).toBe(1);
    expect(f1([2, 0], [2, 2], { average: 'macro' })).toBeCloseTo((2 / 3 + 0) / 2, 12);
    expect(f1([1, 1], [1, 1], { average: 'binary' })).toBe(1);
    // Class 1 is neither there nor found: 0 of 0.
    expect(f1([0, 0], [0, 0], { average: 'binary' })).toBe(0);
  });

  it('counts the rows it is told to', () => {
    expect(f1([0, 1, 1], [5, 1, 0], { average: 'binary', rows: [1, 2] })).toBeCloseTo(2 / 3, 12);
  });
});

describe('predictClasses', () => {
  it('is the class of the largest logit, the first of equals', async () => {
    const before = memory();
    const logits = tensor([
      [0, 3, 1],
      [2, 2, 1],
      [-3, -2, -1],
    ]);
    expect([...(await predictClasses(logits))]).toEqual([1, 0, 2]);
    logits.dispose();
    expect(memory()).toEqual(before);
  });

  it('is whether the logit is above 0 where there is one', async () => {
    expect([...(await predictClasses(tensor([-1, 0, 2])))]).toEqual([0, 0, 1]);
    expect([...(await predictClasses(tensor([[-1], [2]])))]).toEqual([0, 1]);
    expect([...(await predictClasses(zeros([0, 3])))]).toEqual([]);
  });

  it('refuses what are no logits', async () => {
    for (const shape of [[2, 0], [2, 2, 2], []]) {
      await expect(predictClasses(zeros(shape))).rejects.toThrow(
        `predictClasses: logits must have shape [n, classes] or [n], got [${shape.join(', ')}]`,
      );
    }
  });
});
