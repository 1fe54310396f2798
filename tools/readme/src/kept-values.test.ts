import { expect, test } from 'vitest';
import { keptValues } from './kept-values.ts';

test('a value that is read after its scope was kept, inside of it was freed', () => {
  expect(keptValues('await scope(() => loss()).item();')).toEqual(['scope(() => loss()).item']);
  expect(keptValues('(await fg.scope(() => {\n  return x;\n}).data())[0];')).toHaveLength(1);
  expect(keptValues('await fg.scope(() => loss().item());')).toEqual([]);
  expect(keptValues('await fg.scope(() => model.loss(plan).item());')).toEqual([]);
});
