/** assign: target ← source, in place. How parameters are set and checkpoints loaded. */
import { showShape, TensorError } from '../../core/errors.ts';
import { expectSameDType, expectShape } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { Tensor } from '../../core/tensor.ts';

export const assignOp = defineOp({
  name: 'assign',
  infer: ([target, source]) => {
    expectSameDType('assign', target, source);
    expectShape('assign', 'source', source, target.shape);
    return [];
  },
  mutates: [0],
  reference: ({ inputs: [target, source] }) => {
    target.data.set(source.data);
  },
});

/** Overwrites a parameter with the values of `source`. */
export function assign(target: Tensor, source: Tensor): void {
  if (!target.isParameter) {
    throw new TensorError(
      'assign',
      'option',
      `expected a parameter to overwrite, got a constant tensor ${showShape(target.shape)} (make it with parameter())`,
    );
  }
  assignOp.apply([target, source], {});
}
