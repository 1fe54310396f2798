import { expect, test } from 'vitest';
import { checkedCode } from './examples.ts';

test('a line that ends in JSON is checked, another comment is left', () => {
  expect(checkedCode('add(a, 1); // [3]')).toBe('await check(add(a, 1), [3]);\n');
  expect(checkedCode('const y: Tensor = f(); // some words')).toBe('const y = f(); // some words\n');
  expect(checkedCode('const y = f(); // 2')).toBe('const y = f();\nawait check(y, 2);\n');
});
