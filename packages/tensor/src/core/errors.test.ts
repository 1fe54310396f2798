import { expect, test } from 'vitest';
import { expectOneOf, rejectUnknownOptions, TensorError, unknownName } from './errors.ts';

test('an unknown name is said with its choices, and with the one that was meant', () => {
  expect(unknownName('model', 'GNN', ['GGNN', 'GAT'])).toBe(
    "expected model among GGNN, GAT, got 'GNN' (did you mean GGNN?)",
  );
  expect(unknownName('a command', 'xyz', ['train'])).toBe("expected a command among train, got 'xyz'");
  expect(unknownName('options', 'x', [])).toBe("expected options among none, got 'x'");
});

test('long names and long lists are cut, and control characters are shown', () => {
  const choices = Array.from({ length: 100 }, (_, i) => `n${i}`);
  const said = unknownName('node', `a\n${'b'.repeat(10 ** 6)}`, choices);
  expect(said).toMatch(/^expected node among n0, .*, n11, … \(100 names\), got 'a\\nb{58}…'$/);
});

test('options that are none are named with those that there are', () => {
  expect(() => {
    rejectUnknownOptions('f', undefined as unknown as object, ['axis', 'width']);
  }).toThrow('f: expected an object of options among axis, width, got undefined');
});

test('options and choices that are not known throw, those that are do not', () => {
  rejectUnknownOptions('f', { a: 1 }, ['a', 'b']);
  expect(() => {
    rejectUnknownOptions('f', { axis: 1, widht: 2 }, ['axis', 'width']);
  }).toThrow(
    new TensorError('f', 'option', "expected options among axis, width, got 'widht' (did you mean width?)"),
  );
  expect(expectOneOf('f', 'mode', 'a', ['a', 'b'])).toBe('a');
  expect(() => expectOneOf('f', 'mode', 'c', ['a', 'b'])).toThrow("f: expected mode among a, b, got 'c'");
});
