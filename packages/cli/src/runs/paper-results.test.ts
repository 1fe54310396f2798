import { expect, test } from 'vitest';
import { paperResult } from './paper-results.ts';

test('a dataset of one’s own is not the paper’s, whatever its name', () => {
  const name = 'SINE-SZ32-STP16-NDRP-STD0.2';
  expect(paperResult({ group: name, model: 'RW-Stationary' })?.hits1).toBeDefined();
  const card = { name, sha256: 'ab'.repeat(32), nodes: 9, edgeTypes: 1, queries: 0, steps: 2 };
  expect(paperResult({ group: card, model: 'RW-Stationary' })).toBeUndefined();
});
