import { expect, it } from 'vitest';
import { benchData } from './data.ts';

it('reads what it writes, with names and with numbers', async () => {
  const report = await benchData(2000);
  expect(report).toMatch(/names\s+100\s+1000\s+\d+\.\d\d s/);
  expect(report).toMatch(/numbers\s+100\s+1000\s+\d+\.\d\d s/);
});
