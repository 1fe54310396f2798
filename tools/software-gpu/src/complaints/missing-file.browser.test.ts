import { it } from 'vitest';

it('asks for a file that is not there, and would pass', async () => {
  await fetch('/@fs/nowhere');
});
