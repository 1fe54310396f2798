import { permute, reshape } from '@flowgrad/tensor';
import type { Tensor } from '@flowgrad/tensor';

/**
 * Kernels [types, in, out] side by side as [in, types · out], so that one product gives x·W_type for every row and type;
 * edges then read slices of it.
 */
export function besideEachOther(weight: Tensor): Tensor {
  const [types, width, out] = weight.shape;
  return reshape(permute(weight, [1, 0, 2]), [width, types * out]);
}
