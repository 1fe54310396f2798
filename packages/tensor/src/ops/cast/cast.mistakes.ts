import { floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { grad } from '../grad/grad.ts';
import { sum } from '../reduce/sum.op.ts';
import { cast } from './cast.op.ts';

export const castMistakes = {
  cast: [
    [
      () => grad(() => sum(cast(floats(2), 'int32')), [floats(2)]),
      'shape',
      'valueAndGrad: expected the function to return one float32 value, got int32 [] (sum or mean it)',
    ],
  ],
} satisfies Record<string, Mistakes>;
