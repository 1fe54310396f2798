import { TensorError } from '../../core/errors.ts';
import type { Tensor } from '../../core/tensor.ts';

/** Raises unless all that is overwritten is a parameter. */
export function expectParameters(
  op: string,
  parameter: Tensor,
  moments: { readonly first: Tensor; readonly second: Tensor },
): void {
  const written = { parameter, 'moments.first': moments.first, 'moments.second': moments.second };
  for (const [name, tensor] of Object.entries(written)) {
    if (tensor.isParameter) continue;
    throw new TensorError(
      op,
      'option',
      `${name} must be a parameter, got a constant tensor (make it with parameter())`,
    );
  }
}
