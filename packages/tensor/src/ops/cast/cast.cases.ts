import { nonFinite, values } from '../../testing/op-case.ts';
import type { OpCases } from '../../testing/op-case.ts';
import { cast } from './cast.op.ts';

const special = [0, -0, 1.5, -1.5, 0.49, 3e9, -3e9, Infinity, -Infinity, NaN];

export const castCases = {
  cast: {
    tolerance: 'exact',
    cases: [
      { name: 'floats to whole numbers', inputs: [values(special)], run: ([x]) => cast(x, 'int32') },
      { name: 'floats to a mask', inputs: [values(special)], run: ([x]) => cast(x, 'bool') },
      {
        name: 'whole numbers to floats',
        inputs: [values([1, -2, 0], [3], 'int32')],
        run: ([x]) => cast(x, 'float32'),
      },
      { name: 'a mask to floats', inputs: [values([1, 0], [2], 'bool')], run: ([x]) => cast(x, 'float32') },
      {
        name: 'a mask to whole numbers',
        inputs: [values([1, 0], [2], 'bool')],
        run: ([x]) => cast(x, 'int32'),
      },
      {
        name: 'whole numbers to a mask',
        inputs: [values([5, 0, -1], [3], 'int32')],
        run: ([x]) => cast(x, 'bool'),
      },
      {
        name: 'floats to floats',
        inputs: [values([1.5])],
        run: ([x]) => cast(x, 'float32'),
        noGradient: nonFinite,
      },
    ],
  },
} satisfies Record<string, OpCases>;
