/** How a layer's parameters come to be. */
import { parameter, scope, TensorError } from '@flowgrad/tensor';
import type { RandomKey, Shape, Tensor } from '@flowgrad/tensor';
import type { Initialiser } from '../initialisers/initialisers.ts';
import { sameShape, showShape } from '../shape.ts';

/** A parameter of the given shape. Its values come from the child of `key` that bears its name. */
export function startParameter(
  where: string,
  name: string,
  initialise: Initialiser,
  key: RandomKey,
  shape: Shape,
): Tensor {
  return scope(() => {
    const values = initialise(key.child(name), shape);
    if (!sameShape(values.shape, shape)) {
      throw new TensorError(
        where,
        'shape',
        `${name} must start with shape ${showShape(shape)}, got ${showShape(values.shape)} from its initialiser`,
      );
    }
    return parameter(values);
  }, where);
}
