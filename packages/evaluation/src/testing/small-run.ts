/** A run so small that the reference backend trains it. */
import type { RunSettings } from '../run/run-config.ts';

export const smallRun = {
  group: 'SINE-SZ5-STP3-NDRP-STD0.3',
  model: 'GGNN-MulMlp',
  options: { d: 4 },
  epochs: 4,
  batch: 8,
  learningRates: [0.02, 0.01],
} as const satisfies RunSettings;
