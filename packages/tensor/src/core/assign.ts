/**
 * assign: target ← source, in place. How parameters are set and checkpoints loaded. A transfer, like upload and
 * read-back, rather than an op: nothing is computed, and no tape records it.
 */
import { showShape, TensorError } from './errors.ts';
import { expectSameDType, expectShape } from './expect.ts';
import { notifyObservers } from './observe.ts';
import { backendOf } from './apply.ts';
import type { Tensor } from './tensor.ts';

/**
 * Overwrites a parameter with the values of `source`.
 *
 * @example
 * const weights = parameter(zeros([2]));
 * assign(weights, tensor([1, 2]));
 * weights; // [1, 2]
 */
export function assign(target: Tensor, source: Tensor): void {
  if (!target.isParameter) {
    throw new TensorError(
      'assign',
      'option',
      `expected a parameter to overwrite, got a constant tensor ${showShape(target.shape)} (make it with parameter())`,
    );
  }
  const inputs = [target, source];
  const backend = backendOf('assign', inputs);
  const [to, from] = inputs.map((input) => input.storageFor('assign'));
  expectSameDType('assign', target, source);
  expectShape('assign', 'source', source, target.shape);
  backend.copy(from.buffer, to.buffer);
  to.overwrittenBy('assign');
  notifyObservers({ op: 'assign', inputs, indices: [], outputs: [] });
}
