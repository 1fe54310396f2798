/** How well predicted classes fit the labels, on plain numbers. */
import { rejectUnknownOptions, TensorError, unknownName } from '@flowgrad/tensor';
import { expectNumber, expectWhole } from '../options.ts';

/** What every metric takes. */
export interface MetricOptions {
  /** The rows that count, such as the nodes of the test set: all unless given. */
  readonly rows?: ArrayLike<number>;
}

/** What `f1` takes. */
export interface F1Options extends MetricOptions {
  /**
   * 'macro': the mean over the classes that are among the labels or the predictions. 'micro': of all classes' counts
   * together, which for one label a row is the accuracy. 'binary': of class 1, of classes 0 and 1.
   */
  readonly average: 'macro' | 'micro' | 'binary';
}

/** How often a class was found, found wrongly, and missed. */
interface Counts {
  hits: number;
  falseAlarms: number;
  misses: number;
}

/** The part of the rows whose predicted class is their label: |{i : p_i = y_i}| / n. */
export function accuracy(
  predicted: ArrayLike<number>,
  labels: ArrayLike<number>,
  options: MetricOptions = {},
): number {
  rejectUnknownOptions('accuracy', options, ['rows']);
  const pairs = readPairs('accuracy', predicted, labels, options.rows);
  return pairs.filter(([p, y]) => p === y).length / pairs.length;
}

/**
 * F1 = 2·TP / (2·TP + FP + FN), the harmonic mean of precision and recall: TP rows of a class that were found, FP found
 * that are not of it, FN of it that were not found. 0 where all three are 0.
 */
export function f1(predicted: ArrayLike<number>, labels: ArrayLike<number>, options: F1Options): number {
  const where = 'f1';
  rejectUnknownOptions(where, options, ['average', 'rows']);
  const pairs = readPairs(where, predicted, labels, options.rows);
  const counts = countByClass(pairs);
  switch (options.average) {
    case 'macro': {
      const scores = [...counts.values()].map(score);
      return scores.reduce((total, one) => total + one) / scores.length;
    }
    case 'micro':
      return score(sumOf([...counts.values()]));
    case 'binary':
      for (const one of counts.keys()) expectNumber(where, 'a class', one, '0 or 1 for binary F1', one <= 1);
      return score(counts.get(1) ?? sumOf([]));
    default:
      throw new TensorError(
        where,
        'option',
        unknownName('average', options.average, ['macro', 'micro', 'binary']),
      );
  }
}

function score({ hits, falseAlarms, misses }: Counts): number {
  return hits === 0 ? 0 : (2 * hits) / (2 * hits + falseAlarms + misses);
}

function sumOf(all: readonly Counts[]): Counts {
  const total = { hits: 0, falseAlarms: 0, misses: 0 };
  for (const { hits, falseAlarms, misses } of all) {
    total.hits += hits;
    total.falseAlarms += falseAlarms;
    total.misses += misses;
  }
  return total;
}

function countByClass(pairs: readonly (readonly [number, number])[]): Map<number, Counts> {
  const counts = new Map<number, Counts>();
  const of = (name: number): Counts => {
    const found = counts.get(name) ?? sumOf([]);
    counts.set(name, found);
    return found;
  };
  for (const [predicted, label] of pairs) {
    if (predicted === label) of(label).hits += 1;
    else {
      of(predicted).falseAlarms += 1;
      of(label).misses += 1;
    }
  }
  return counts;
}

/** (prediction, label) of the rows that count, all checked. */
function readPairs(
  where: string,
  predicted: ArrayLike<number>,
  labels: ArrayLike<number>,
  rows?: ArrayLike<number>,
): (readonly [number, number])[] {
  const n = labels.length;
  if (predicted.length !== n) {
    throw new TensorError(
      where,
      'shape',
      `expected a prediction for each of ${n} labels, got ${predicted.length}`,
    );
  }
  const chosen = rows ? Array.from(rows) : Array.from({ length: n }, (_, row) => row);
  if (chosen.length === 0) throw new TensorError(where, 'shape', 'expected at least one row, got none');
  return chosen.map((row) => {
    const isRow = Number.isInteger(row) && row >= 0 && row < n;
    expectNumber(where, 'a row', row, `a whole number in 0..${n - 1}`, isRow);
    const pair = [predicted[row], labels[row]] as const;
    for (const one of pair) expectWhole(where, `a class (row ${row})`, one);
    return pair;
  });
}
