/** Runs in the page before each browser test file: whatever the page complains of fails the file. */
import { afterAll, beforeAll } from 'vitest';
import { commands } from 'vitest/browser';

beforeAll(async () => {
  await commands.complaints();
});

afterAll(async () => {
  const list = await commands.complaints();
  if (list.length > 0) throw new Error(`page: expected no complaints, got\n${list.join('\n')}`);
});
