import { floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { addAll } from './add-all.op.ts';

export const addAllMistakes = {
  addAll: [
    [() => addAll([], [2]), 'shape', 'addAll: expected at least one term, got none'],
    [
      () => addAll([floats(2), floats(3, 2), floats(3)], [2]),
      'shape',
      'addAll: expected terms of shape [2], or stacks of it, got [3]',
    ],
  ],
} satisfies Record<string, Mistakes>;
