import { defineOp } from '../../core/op.ts';
import { floats } from '../../testing/mistake.ts';
import type { Mistakes } from '../../testing/mistake.ts';
import { referenceBackend } from './reference-backend.ts';

const alone = defineOp({
  name: 'alone',
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }) => ({ y: x }),
  reference: 'beside',
});

export const referenceBackendMistakes = {
  referenceBackend: [
    [
      () => referenceBackend({ precision: 'float16' as 'float32' }),
      'option',
      "referenceBackend: expected precision among float32, float64, got 'float16' (did you mean float32?)",
    ],
    [
      () => alone.apply({ x: floats(2) }, {}),
      'backend',
      'alone: expected a reference, got none beside it (give defineOp reference: (operands, outputs, attrs) => …)',
    ],
  ],
} satisfies Record<string, Mistakes>;
