/** cast: the same values in another dtype; floats lose their fraction, masks are 0 and 1. */
import type { DType } from '../../core/dtype.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import type { Tensor } from '../../core/tensor.ts';
import { reshape } from '../shape/reshape.op.ts';

export interface CastAttrs {
  readonly dtype: DType;
}

export const castOp = defineOp({
  name: 'cast',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }, { dtype }: CastAttrs) => ({ y: { shape: x.shape, dtype } }),
  reference: 'beside',
});

export const castReference: ReferenceOf<typeof castOp> = ({ x }, { y }, { dtype }) => {
  const convert = converters[dtype];
  for (let i = 0; i < x.data.length; i++) y.data[i] = convert(x.data[i]);
};

const converters: Record<DType, (value: number) => number> = {
  float32: (value) => value,
  // Towards zero, at the ends of the range for what lies beyond it, NaN to 0: as WGSL and WASM saturate.
  int32: (value) => Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(value))) || 0,
  bool: (value) => (value === 0 ? 0 : 1),
};

/**
 * The same values in another type: towards zero for int32, whether they are other than 0 for bool.
 *
 * @example
 * cast(tensor([1.7, -1.7]), 'int32'); // [1, -1]
 */
export function cast(x: Tensor, dtype: DType): Tensor {
  return x.dtype === dtype ? reshape(x, x.shape) : castOp.apply({ x }, { dtype }).y;
}
