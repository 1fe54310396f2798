import { floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { parameter } from '../grad/grad.ts';
import { adamUpdate } from './adam-update.op.ts';

const moments = (...shape: number[]) => ({
  first: parameter(floats(...shape)),
  second: parameter(floats(...shape)),
});

export const adamUpdateMistakes = {
  adamUpdate: [
    [
      () => adamUpdate(parameter(floats(2)), floats(3), moments(2), { step: 1, learningRate: 1 }),
      'shape',
      'adamUpdate: gradient must have shape [2], got float32 [3]',
    ],
    [
      () => adamUpdate(parameter(floats(2)), floats(2), moments(2), { step: 0, learningRate: 1 }),
      'option',
      'adamUpdate: step must be a whole number ≥ 1, got 0',
    ],
    [
      () => adamUpdate(floats(2), floats(2), moments(2), { step: 1, learningRate: 1 }),
      'option',
      'adamUpdate: parameter must be a parameter, got a constant tensor (make it with parameter())',
    ],
  ],
} satisfies Record<string, Mistakes>;
