/** pad: a constant border around a tensor. */
import { showShape, TensorError } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import type { ReferenceOf } from '../../core/op.ts';
import { stridesOf } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
import { slice } from './slice.op.ts';
import { forEachStrided } from './strided.reference.ts';

export interface PadAttrs {
  /** For every axis, how many values before and after. */
  readonly padding: readonly (readonly [before: number, after: number])[];
  readonly value: number;
}

/** y[i + before…] = x[i…], `value` elsewhere;   dx = dout without its border */
export const padOp = defineOp({
  name: 'pad',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }, { padding }: PadAttrs) => ({
    y: { dtype: x.dtype, shape: x.shape.map((extent, axis) => extent + padding[axis][0] + padding[axis][1]) },
  }),
  reference: 'beside',
  saves: [],
  backward: ({ x }, { dout, attrs: { padding } }) => ({
    x: () =>
      slice(
        dout.y,
        padding.map(([before]) => before),
        padding.map(([before], axis) => before + x.shape[axis]),
      ),
  }),
});

export const padReference: ReferenceOf<typeof padOp> = ({ x }, { y }, { padding, value }) => {
  const strides = stridesOf(y.shape);
  const first = padding.reduce((offset, [before], axis) => offset + before * strides[axis], 0);
  y.data.fill(value);
  forEachStrided(x.shape, strides, first, (i, to) => {
    y.data[to] = x.data[i];
  });
};

/**
 * Adds `[before, after]` values to each axis; axes beyond those given stay as they are.
 *
 * @example
 * pad(tensor([1, 2]), [[1, 0]]); // [0, 1, 2]
 */
export function pad(x: Tensor, padding: readonly (readonly number[])[], value = 0): Tensor {
  const valid = padding.every(
    (pair) => pair.length === 2 && pair.every((n) => Number.isInteger(n) && n >= 0),
  );
  if (!valid || padding.length > x.rank) {
    throw new TensorError(
      'pad',
      'shape',
      `expected [before, after], whole and ≥ 0, for at most ${x.rank} axes, ` +
        `got ${padding.map(showShape).join(', ')}`,
    );
  }
  const full = x.shape.map((_, axis) => [padding[axis]?.[0] ?? 0, padding[axis]?.[1] ?? 0] as const);
  return padOp.apply({ x }, { padding: full, value }).y;
}
