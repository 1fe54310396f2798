import { expect, test } from 'vitest';
import { checkTypes } from './check-types.ts';

const example = (code: string, line = 1) => ({ code, expected: '', line });

test('names the line of the README that does not type-check, for each example by itself', () => {
  const wrong = `import { tensor } from '@flowgrad/tensor';\nconst x: string = tensor([1]);\n`;
  const untyped = `export {};\nconst f = (x) => x;\n`;
  const right = `import { tensor } from '@flowgrad/tensor';\nconsole.log(tensor([1]).rank);\n`;
  const [ofWrong, ofUntyped, ofRight] = checkTypes([example(wrong, 10), example(untyped), example(right)]);
  expect(ofWrong).toEqual([
    expect.stringMatching(/^line 11: Type 'Tensor' is not assignable to type 'string'/),
  ]);
  expect(ofUntyped).toEqual([expect.stringMatching(/^line 2: Parameter 'x' implicitly has an 'any' type/)]);
  expect(ofRight).toEqual([]);
});
