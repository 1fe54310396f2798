import { bytesOf, noise, sizes, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { rowIndex } from '../../core/row-index.ts';
import { full, tensor } from '../../create/create.ts';
import { adamRowsOp } from './adam-rows.op.ts';

const attrs = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 1e-5 };
const parts = ['parameter', 'gradient', 'first moment', 'second moment'];

export const adamRowsBench = {
  adamRows: sizes.map(({ nodes }) => ({
    name: `${nodes} rows of ${width} among ${4 * nodes}`,
    inputs: () => parts.map((part) => noise([part === 'gradient' ? nodes : 4 * nodes, width])),
    prepare: () => {
      const index = rowIndex(
        Array.from({ length: nodes }, (_, k) => 4 * k),
        4 * nodes,
      );
      const missed = full([nodes], 1, { dtype: 'int32' });
      const rates = tensor([[1e-4, 1, 1]]);
      return ([p, g, m, v]) => {
        adamRowsOp.apply({ p, g, m, v, index, missed, rates }, attrs);
        return [];
      };
    },
    // All are read, and all but the gradient written.
    bytes: 7 * bytesOf([nodes, width]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
