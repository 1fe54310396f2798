import { expect, test } from 'vitest';
import { benchSweeps } from './sweeps.ts';

test('a small sweep beside train, and what a server does in a second', async () => {
  const small = { group: 'SINE-SZ5-STP3-NDRP-STD0.3', runs: 1, epochs: 1, empty: 20 };
  const table = await benchSweeps({ ...small, onProgress: () => undefined });
  expect(table).toMatch(/sweep work +\d+\.\d s, \d+\.\d{3} × +at most 1\.05 ×/);
  expect(table).toMatch(/all three +\d+ \/s +at least 50 \/s/);
  expect(table).toMatch(/checkpoints of 1 MB +one connection +\d+ \/s, \d+ MB\/s/);
});
