import { floats, ints } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { logSoftmax, softmax } from './softmax.op.ts';

export const softmaxMistakes = {
  softmax: [
    [() => softmax(floats()), 'shape', 'softmax: x must have at least 1 axes, got float32 []'],
    [() => softmax(floats(2), 1), 'axis', 'softmax: axis must be in −1 … 0, got 1'],
    [() => softmax(ints(2)), 'dtype', 'softmax: x must be float32, got int32 [2]'],
  ],
  logSoftmax: [[() => logSoftmax(ints(2)), 'dtype', 'logSoftmax: x must be float32, got int32 [2]']],
} satisfies Record<string, Mistakes>;
