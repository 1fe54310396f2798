import { bytesOf, noise, sizes, width } from '../../bench/bench-case.ts';
import type { BenchCase } from '../../bench/bench-case.ts';
import { adamUpdateOp } from './adam-update.op.ts';

const attrs = { learningRate: 1e-4, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, step: 1 };
const parts = ['parameter', 'gradient', 'first moment', 'second moment'];

export const adamUpdateBench = {
  adamUpdate: sizes.map(({ nodes }) => ({
    name: `${nodes} rows of ${width}`,
    inputs: () => parts.map(() => noise([nodes, width])),
    prepare:
      () =>
      ([p, g, m, v]) => {
        adamUpdateOp.apply({ p, g, m, v }, attrs);
        return [];
      },
    // All are read, and all but the gradient written.
    bytes: 7 * bytesOf([nodes, width]),
  })),
} satisfies Record<string, readonly BenchCase[]>;
