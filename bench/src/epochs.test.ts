import { expect, it } from 'vitest';
import { benchEpochs } from './epochs.ts';

it('has seconds of training and of evaluation for each model', async () => {
  const report = await benchEpochs({
    ...{ group: 'SINE-SZ6-STP4-NDRP-STD0.2', filter: 'RW-', batches: 1 },
    onProgress: () => undefined,
  });
  expect(report).toMatch(/RW-Stationary\s+\d+\.\d s\s+\d+\.\d s\s+\d+\.\d s/);
  expect(report).toMatch(/RW-Dynamic\s+\d+\.\d s/);
});
