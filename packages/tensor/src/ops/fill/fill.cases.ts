import type { OpCases } from '../../testing/op-case.ts';
import { fill } from './fill.op.ts';

export const fillCases = {
  fill: {
    tolerance: 'exact',
    cases: [
      { name: 'a matrix', inputs: [], run: () => fill({ shape: [3, 5], dtype: 'float32', value: 1.5 }) },
      { name: 'whole numbers', inputs: [], run: () => fill({ shape: [7], dtype: 'int32', value: -3 }) },
      { name: 'a mask', inputs: [], run: () => fill({ shape: [2], dtype: 'bool', value: 1 }) },
      { name: 'infinity', inputs: [], run: () => fill({ shape: [3], dtype: 'float32', value: -Infinity }) },
      { name: 'no values', inputs: [], run: () => fill({ shape: [0], dtype: 'float32', value: 1 }) },
      {
        name: 'several workgroups',
        inputs: [],
        run: () => fill({ shape: [20011], dtype: 'float32', value: 2 }),
      },
    ],
  },
} satisfies Record<string, OpCases>;
