import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { broadcastTo } from './broadcast-to.op.ts';
import { concat, stack } from './concat.op.ts';
import { pad } from './pad.op.ts';
import { permute } from './permute.op.ts';
import { reshape } from './reshape.op.ts';
import { slice, split } from './slice.op.ts';

export const shapeMistakes = {
  permute: [
    [
      () => permute(floats(2, 3), [0]),
      'axis',
      'permute: expected each of the 2 axes of [2, 3] once, got [0]',
    ],
    [() => permute(floats(2, 3), [0, 0]), 'axis', 'permute: axes must be distinct, got [0, 0]'],
  ],
  broadcastTo: [
    [
      () => broadcastTo(floats(2, 3), [3, 3]),
      'shape',
      'broadcastTo: expected a shape that [2, 3] broadcasts to, got [3, 3]',
    ],
  ],
  concat: [
    [() => concat([]), 'shape', 'concat: expected at least one tensor, got none'],
    [
      () => concat([floats(2, 3), floats(2, 2)]),
      'shape',
      'concat: expected shapes that differ only on axis 0, got [2, 3] and [2, 2]',
    ],
    [
      () => concat([floats(2), floats(2, 1)]),
      'shape',
      'concat: expected shapes that differ only on axis 0, got [2] and [2, 1]',
    ],
    [
      () => concat([floats(2), ints(2)]),
      'dtype',
      'concat: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)',
    ],
  ],
  slice: [
    [
      () => slice(floats(2, 3), [0], [3]),
      'index',
      'slice: expected 0 ≤ start ≤ end ≤ extent on every axis of [2, 3], got starts [0] and ends [3]',
    ],
    [
      () => slice(floats(2, 3), [1], [0]),
      'index',
      'slice: expected 0 ≤ start ≤ end ≤ extent on every axis of [2, 3], got starts [1] and ends [0]',
    ],
    [
      () => slice(floats(2), [0, 0], [1, 1]),
      'shape',
      'slice: expected a start and an end for at most 1 axes, got [0, 0] and [1, 1]',
    ],
  ],
  pad: [
    [
      () => pad(floats(2), [[1, -1]]),
      'shape',
      'pad: expected [before, after], whole and ≥ 0, for at most 1 axes, got [1, -1]',
    ],
  ],
  reshape: [
    [
      () => reshape(floats(2, 3), [4]),
      'shape',
      'reshape: expected a shape of 6 elements for [2, 3], got [4]',
    ],
    [
      () => reshape(floats(2, 3), [4, -1]),
      'shape',
      'reshape: expected a shape of 6 elements for [2, 3], got [4, -1]',
    ],
  ],
  split: [
    [
      () => split(floats(5), 2),
      'shape',
      'split: expected parts that add up to 5 (axis 0 of [5]), got 2 equal parts',
    ],
    [
      () => split(floats(5), [2, 2]),
      'shape',
      'split: expected parts that add up to 5 (axis 0 of [5]), got [2, 2]',
    ],
  ],
  stack: [
    [() => stack([floats(2), floats(3)]), 'shape', 'stack: expected tensors of one shape, got [2] and [3]'],
    [
      () => stack([floats(2), ints(2)]),
      'dtype',
      'stack: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)',
    ],
  ],
} satisfies Record<string, Mistakes>;
