import type { Mistakes } from '../../testing/mistake.ts';
import { referenceBackend } from './reference-backend.ts';

export const referenceBackendMistakes = {
  referenceBackend: [
    [
      () => referenceBackend({ precision: 'float16' as 'float32' }),
      'option',
      "referenceBackend: expected precision among float32, float64, got 'float16' (did you mean float32?)",
    ],
  ],
} satisfies Record<string, Mistakes>;
