import type { Mistakes } from '../../testing/mistake.ts';
import { referenceBackend } from './reference-backend.ts';

export const referenceBackendMistakes = {
  referenceBackend: [
    [
      () => referenceBackend({ precision: 'float16' as 'float32' }),
      'option',
      "referenceBackend: could not resolve precision 'float16' among {float32, float64}",
    ],
  ],
} satisfies Record<string, Mistakes>;
