import { it } from 'vitest';

it('says an error, and would pass', () => {
  console.error('broken wire');
});
