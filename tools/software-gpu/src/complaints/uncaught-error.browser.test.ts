import { it } from 'vitest';

it('throws where nobody catches, and would pass', async () => {
  setTimeout(() => {
    throw new Error('broken page');
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
});
