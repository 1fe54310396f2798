import { crossEntropy, gather, mean, rejectUnknownOptions, rowIndex, TensorError } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import type { MetricOptions } from '../metrics/class-metrics.ts';

/**
 * The mean of −log softmax(logits)[label] over the rows: logits [n, classes], and a label for each of the n rows. With
 * `rows` only these count, such as the nodes whose class is known.
 */
export function classLoss(logits: Tensor, labels: ArrayLike<number>, options: MetricOptions = {}): Tensor {
  rejectUnknownOptions('classLoss', options, ['rows']);
  const [count, classes] = logits.shape;
  if (logits.rank !== 2 || labels.length !== count) {
    throw new TensorError(
      'classLoss',
      'shape',
      `expected logits [n, classes] and n labels, got [${logits.shape.join(', ')}] and ${labels.length}`,
    );
  }
  const { rows } = options;
  if (!rows) return mean(crossEntropy(logits, rowIndex(labels, classes)));
  const known = Array.from(rows, (row) => labels[row]);
  return mean(crossEntropy(gather(logits, rowIndex(rows, count)), rowIndex(known, classes)));
}
