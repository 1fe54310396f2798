import { expect, test } from 'vitest';
import { readExamples } from './examples.ts';

const block = (language: string, ...lines: string[]) => ['```' + language, ...lines, '```'].join('\n');

test('a ts block directly followed by a text block is an example', () => {
  const markdown = ['# Title', '', block('ts', 'a', 'b'), '', block('text', '1', '2'), ''].join('\n');
  expect(readExamples(markdown)).toEqual([{ code: 'a\nb\n', expected: '1\n2\n', line: 4 }]);
});

test('blocks in other languages, or with prose between, are not examples', () => {
  const output = block('text', '1');
  expect(readExamples([block('ts', 'a'), '', 'prose', '', output].join('\n'))).toEqual([]);
  expect(readExamples([block('js', 'a'), '', output].join('\n'))).toEqual([]);
  expect(readExamples([block('ts', 'a'), '', block('ts', 'b')].join('\n'))).toEqual([]);
  expect(readExamples(block('ts', 'a'))).toEqual([]);
});

test('a fence inside a longer fence is text', () => {
  const inner = [block('ts', 'a'), block('text', '1')].join('\n');
  expect(readExamples(['````md', inner, '````'].join('\n'))).toEqual([]);
});

test('a fence that is never closed is an error', () => {
  expect(() => readExamples('one\n```ts\na')).toThrow('the fence opened on line 2 is never closed');
});
