/** crossEntropy, composed of logSoftmax and a pick. */
import { arange } from '../../create/create.ts';
import { expectDType, expectIdPerRow, expectShape } from '../../core/expect.ts';
import type { RowIndex } from '../../core/row-index.ts';
import type { Tensor } from '../../core/tensor.ts';
import { equal } from '../elementwise/binary.op.ts';
import { neg } from '../elementwise/unary.op.ts';
import { sum } from '../reduce/sum.op.ts';
import { reshape } from '../shape/reshape.op.ts';
import { logSoftmax } from '../softmax/softmax.op.ts';
import { where } from '../where/where.op.ts';

/**
 * −log softmax(logits)[label] of each row: logits [n, classes], labels `rowIndex(labels, classes)` of length n,
 * result [n]. Take the mean of it for the usual loss.
 *
 * @example
 * crossEntropy(tensor([[0, 0], [0, 0]]), rowIndex([0, 1], 2)); // [0.6931, 0.6931]
 */
export function crossEntropy(logits: Tensor, labels: RowIndex): Tensor {
  expectDType('crossEntropy', 'logits', logits, 'float32');
  expectShape('crossEntropy', 'logits', logits, [-1, labels.rows]);
  expectIdPerRow('crossEntropy', 'labels', labels, logits);
  const classes = arange(labels.rows, { dtype: 'int32', backend: logits.backend });
  const chosen = equal(reshape(labels.ids, [labels.length, 1]), classes);
  return neg(sum(where(chosen, logSoftmax(logits), 0), 1));
}
