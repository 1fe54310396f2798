import { rowIndex } from '../../core/row-index.ts';
import { calledByBackwardOf, floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import type { Tensor } from '../../core/tensor.ts';
import { gruCell } from './gru-cell.op.ts';

const gru = (gateWeight: Tensor) => ({
  gateWeight,
  gateBias: floats(4),
  candidateWeight: floats(5, 2),
  candidateBias: floats(2),
});

export const gruCellMistakes = {
  gruCell: [
    [
      () => gruCell(floats(1, 3), floats(1, 2), gru(floats(4, 4))),
      'shape',
      'gruCell: gateWeight must have shape [5, 4], got float32 [4, 4]',
    ],
    [
      () => gruCell(floats(2, 3), floats(1, 2), gru(floats(5, 4))),
      'shape',
      'gruCell: x must have shape [1, ·], got float32 [2, 3]',
    ],
    [
      () => gruCell([], floats(1, 2), gru(floats(5, 4))),
      'shape',
      'gruCell: expected at least one x, got none',
    ],
    [
      () => gruCell(floats(1, 3), floats(1, 2), { ...gru(floats(5, 4)), biasRows: rowIndex([0], 2) }),
      'shape',
      'gruCell: gateBias must have shape [2, 4], got float32 [4]',
    ],
    [
      () =>
        gruCell(floats(1, 3), floats(1, 2), {
          ...gru(floats(5, 4)),
          ...{ gateBias: floats(2, 4), candidateBias: floats(2, 2), biasRows: rowIndex([0, 1], 2) },
        }),
      'shape',
      'gruCell: expected one of biasRows for each row, got 2 for 1',
    ],
  ],
  gruCellGrad: calledByBackwardOf('gruCell'),
} satisfies Record<string, Mistakes>;
