/** concat: tensors laid end to end along an axis; stack: along a new one. */
import { showShape, TensorError } from '../../core/errors.ts';
import { expectSameDType, expectSome } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { normaliseAxis, sameShape, sizeOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { reshape } from './reshape.op.ts';
import { split } from './slice.op.ts';

export interface ConcatAttrs {
  readonly axis: number;
}

/** dx_k = the k-th part of dout */
export const concatOp = defineOp({
  name: 'concat',
  operands: { xs: 'tensor[]' },
  outputs: { y: 'tensor' },
  infer: ({ xs }, { axis }: ConcatAttrs) => {
    const [first] = xs;
    for (const x of xs) {
      expectSameDType('concat', first, x);
      const fits = sameShape(x.shape.toSpliced(axis, 1), first.shape.toSpliced(axis, 1));
      if (x.shape.length === first.shape.length && fits) continue;
      throw new TensorError(
        'concat',
        'shape',
        `expected shapes that differ only on axis ${axis}, got ${showShape(first.shape)} and ${showShape(x.shape)}`,
      );
    }
    const extent = xs.reduce((total, x) => total + x.shape[axis], 0);
    return { y: { dtype: first.dtype, shape: first.shape.with(axis, extent) } };
  },
  reference: 'beside',
  saves: [],
  backward: ({ xs }, { dout, attrs: { axis } }) => ({
    xs: split(
      dout.y,
      xs.map((x) => x.shape[axis]),
      axis,
    ),
  }),
});

export const concatReference: ReferenceOf<typeof concatOp> = ({ xs }, { y }, { axis }) => {
  const rowOf = (shape: readonly number[]): number => sizeOf(shape.slice(axis));
  const outer = sizeOf(y.shape.slice(0, axis));
  const row = rowOf(y.shape);
  let start = 0;
  for (const x of xs) {
    const part = rowOf(x.shape);
    for (let o = 0; o < outer; o++) {
      y.data.set(x.data.subarray(o * part, (o + 1) * part), o * row + start);
    }
    start += part;
  }
};

/**
 * Tensors side by side along an axis; their other extents agree.
 *
 * @example
 * concat([tensor([1, 2]), tensor([3])]); // [1, 2, 3]
 */
export function concat(tensors: readonly Tensor[], axis = 0): Tensor {
  expectSome('concat', 'tensor', tensors);
  return concatOp.apply({ xs: tensors }, { axis: normaliseAxis('concat', axis, tensors[0].rank) }).y;
}

/**
 * Tensors of one shape as slices of a new axis.
 *
 * @example
 * stack([tensor([1, 2]), tensor([3, 4])]); // [[1, 2], [3, 4]]
 */
export function stack(tensors: readonly Tensor[], axis = 0): Tensor {
  expectSome('stack', 'tensor', tensors);
  const [{ shape, rank }] = tensors;
  const along = normaliseAxis('stack', axis, rank + 1);
  for (const x of tensors) expectSameDType('stack', tensors[0], x);
  const odd = tensors.find((x) => !sameShape(x.shape, shape));
  if (odd) {
    throw new TensorError(
      'stack',
      'shape',
      `expected tensors of one shape, got ${showShape(shape)} and ${showShape(odd.shape)}`,
    );
  }
  const expanded = shape.toSpliced(along, 0, 1);
  return concat(
    tensors.map((x) => reshape(x, expanded)),
    along,
  );
}
