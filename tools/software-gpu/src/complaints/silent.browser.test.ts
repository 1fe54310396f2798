import { expect, it } from 'vitest';

it('says nothing that matters', () => {
  console.log('all is well');
  expect(document.title).toBeTypeOf('string');
});
