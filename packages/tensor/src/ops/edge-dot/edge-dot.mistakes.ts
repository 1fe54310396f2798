import { rowIndex } from '../../core/row-index.ts';
import { calledByBackwardOf, floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { edgeDot } from './edge-dot.op.ts';

const edges = () => ({
  senders: rowIndex([0, 1], 2),
  receivers: rowIndex([0, 0], 2),
  types: rowIndex([0, 0], 1),
});

export const edgeDotMistakes = {
  edgeDot: [
    [
      () => edgeDot(floats(2, 3), floats(2, 3), { ...edges(), weight: floats(1, 6), bias: floats(1) }),
      'shape',
      'edgeDot: weight must have shape [1, 9], got float32 [1, 6]',
    ],
    [
      () => edgeDot(floats(2, 3), floats(2, 2), { ...edges(), weight: floats(1, 9), bias: floats(1) }),
      'shape',
      'edgeDot: y must have shape [2, 3], got float32 [2, 2]',
    ],
    [
      () =>
        edgeDot(floats(2, 3), floats(2, 3), {
          ...edges(),
          types: rowIndex([0], 1),
          weight: floats(1, 9),
          bias: floats(1),
        }),
      'shape',
      'edgeDot: expected as many senders as receivers and types, got 2, 2 and 1',
    ],
  ],
  edgeDotRowsGrad: calledByBackwardOf('edgeDot'),
  edgeDotWeightGrad: calledByBackwardOf('edgeDot'),
} satisfies Record<string, Mistakes>;
