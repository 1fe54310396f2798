import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { benchEpochs } from './epochs.ts';

const small = { group: 'SINE-SZ6-STP4-NDRP-STD0.2', filter: 'RW-', batches: 1, onProgress: () => undefined };

it('has seconds of training and of evaluation for each model', async () => {
  const report = await benchEpochs(small);
  expect(report).toMatch(/RW-Stationary\s+\d+\.\d+ s\s+\d+\.\d+ s$/m);
  expect(report).toMatch(/RW-Dynamic\s+\d+\.\d+ s/);
});

it('has those of another checkout beside them', async () => {
  const before = fileURLToPath(new URL('../..', import.meta.url));
  const report = await benchEpochs({ ...small, filter: 'RW-Stationary', before });
  expect(report).toMatch(/RW-Stationary(\s+\d+\.\d+ s){2}\s+\d+\.\d+ ×(\s+\d+\.\d+ s){2}\s+\d+\.\d+ ×$/m);
  await expect(benchEpochs({ ...small, before: '/nowhere' })).rejects.toThrow(
    'bench: expected /nowhere to be built, got ',
  );
});
