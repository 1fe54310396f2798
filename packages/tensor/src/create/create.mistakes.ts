import type { Mistakes } from '../testing/mistake.ts';
import { arange, eye, tensor } from './create.ts';

export const createMistakes = {
  tensor: [
    [() => tensor([[1, 2], [3]]), 'shape', 'tensor: expected 2 entries at [1], as elsewhere, got 1 entries'],
    [() => tensor([1, [2]]), 'shape', 'tensor: expected a number at [1], as elsewhere, got 1 entries'],
    [
      () => tensor([1.5], { dtype: 'int32' }),
      'dtype',
      'tensor: expected values that are int32, got 1.5 at 0',
    ],
    [() => tensor([1, 2, 3], { shape: [2, 2] }), 'shape', 'tensor: expected 4 values for [2, 2], got 3'],
    [
      () => tensor([1], { size: [1] } as object),
      'option',
      "tensor: expected options among dtype, shape, got 'size'",
    ],
    [
      () => tensor(['1'] as unknown as number[]),
      'dtype',
      'tensor: expected numbers or booleans, got string at [0]',
    ],
  ],
  arange: [[() => arange(-1), 'shape', 'arange: shape must be whole numbers ≥ 0, got [-1]']],
  eye: [[() => eye(1.5), 'shape', 'eye: shape must be whole numbers ≥ 0, got [1.5]']],
} satisfies Record<string, Mistakes>;
