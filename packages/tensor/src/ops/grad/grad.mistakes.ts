import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import type { Tensor } from '../../core/tensor.ts';
import { grad, parameter, valueAndGrad } from './grad.ts';

export const gradMistakes = {
  parameter: [
    [
      () => parameter(ints(2)),
      'dtype',
      'parameter: expected a float32 tensor to differentiate by, got int32 [2]',
    ],
  ],
  valueAndGrad: [
    [
      () => valueAndGrad(() => floats(2)),
      'shape',
      'valueAndGrad: expected the function to return one float32 value, got float32 [2] (sum or mean it)',
    ],
    [
      () => valueAndGrad((async () => floats()) as unknown as () => Tensor),
      'option',
      'valueAndGrad: expected a synchronous function, got one that returns a promise',
    ],
    [
      () => valueAndGrad(() => floats(), { byRow: [], byRows: [] } as { byRow: [] }),
      'option',
      "valueAndGrad: expected options among byRow, got 'byRows' (did you mean byRow?)",
    ],
    [
      () => grad(() => floats(), [ints(2)]),
      'dtype',
      'valueAndGrad: expected a float32 tensor to differentiate by, got int32 [2]',
    ],
  ],
} satisfies Record<string, Mistakes>;
