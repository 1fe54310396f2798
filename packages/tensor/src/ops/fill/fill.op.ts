/** fill: a tensor of one repeated value, made on the device. */
import type { Backend } from '../../core/backend.ts';
import type { TensorSpec } from '../../core/dtype.ts';
import { TensorError } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { checkShape } from '../../core/shape.ts';
import { Tensor } from '../../core/tensor.ts';

export interface FillAttrs extends TensorSpec {
  readonly value: number;
}

export const fillOp = defineOp({
  name: 'fill',
  operands: {},
  outputs: { y: 'tensor' },
  infer: (_operands, { shape, dtype }: FillAttrs) => ({ y: { shape, dtype } }),
  reference: 'beside',
});

export const fillReference: ReferenceOf<typeof fillOp> = (_operands, { y }, { value }) => {
  y.data.fill(value);
};

export function fill(attrs: FillAttrs, backend?: Backend): Tensor {
  const { value, dtype } = attrs;
  checkShape('fill', attrs.shape);
  const fits =
    dtype === 'float32' || (dtype === 'int32' ? (value | 0) === value : value === 0 || value === 1);
  if (!fits) throw new TensorError('fill', 'dtype', `expected a value that is ${dtype}, got ${value}`);
  return fillOp.apply({}, attrs, backend).y;
}

/**
 * Zeros of the shape and dtype of `x`, on its backend.
 *
 * @example
 * zerosLike(tensor([5, 6])); // [0, 0]
 */
export function zerosLike(x: Tensor): Tensor {
  return fill({ shape: x.shape, dtype: x.dtype, value: 0 }, x.backend);
}

/**
 * Ones of the shape and dtype of `x`, on its backend.
 *
 * @example
 * onesLike(tensor([5, 6])); // [1, 1]
 */
export function onesLike(x: Tensor): Tensor {
  return fill({ shape: x.shape, dtype: x.dtype, value: 1 }, x.backend);
}

/** Operands as tensors: a number becomes a scalar of the dtype and on the backend of a tensor beside it. */
export function operands(op: string, ...values: readonly (Tensor | number)[]): Tensor[] {
  const model = values.find((value) => value instanceof Tensor);
  const dtype = model?.dtype ?? 'float32';
  return values.map((value) => {
    if (value instanceof Tensor) return value;
    if (typeof value !== 'number') {
      throw new TensorError(op, 'dtype', `expected tensors or numbers, got ${typeof value}`);
    }
    if (dtype !== 'float32' && !Number.isInteger(value)) {
      throw new TensorError(op, 'dtype', `expected a whole number beside a tensor of ${dtype}, got ${value}`);
    }
    return fill({ shape: [], dtype, value }, model?.backend);
  });
}
