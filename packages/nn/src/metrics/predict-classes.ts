import { argmax, greater, reshape, scope, TensorError } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';
import { showShape } from '../shape.ts';

/**
 * The class that logits speak for, read back as plain numbers: argmax_c logits[i, c] for logits [n, classes], the first of
 * equals; for one logit per row, [n] or [n, 1], class 1 where it is > 0 and else class 0.
 */
export async function predictClasses(logits: Tensor): Promise<Int32Array> {
  const { shape, rank, size } = logits;
  if (rank < 1 || rank > 2 || shape.at(-1) === 0) {
    throw new TensorError(
      'predictClasses',
      'shape',
      `logits must have shape [n, classes] or [n], got ${showShape(shape)}`,
    );
  }
  const isBinary = rank === 1 || shape[1] === 1;
  const classes = scope(() => (isBinary ? greater(reshape(logits, [size]), 0) : argmax(logits)));
  try {
    return Int32Array.from(await classes.data());
  } finally {
    classes.dispose();
  }
}
