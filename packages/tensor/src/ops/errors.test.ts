/** Every op's mistakes, each with its message: errors are part of the interface. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { setBackend } from '../core/backend.ts';
import { TensorError } from '../core/errors.ts';
import { rowIndex } from '../core/row-index.ts';
import { scope } from '../core/scope.ts';
import { memory } from '../core/storage.ts';
import { tensor, zeros } from '../create/create.ts';
import { gather } from './gather/gather.op.ts';
import { opCases } from './generated/all.cases.ts';
import { mistakes } from './generated/all.mistakes.ts';

const reference = referenceBackend();
let before: ReturnType<typeof memory>;

beforeAll(() => {
  setBackend(reference);
  before = memory();
});
afterAll(() => {
  expect(memory(), 'a refused call leaves nothing behind').toEqual(before);
  setBackend(undefined);
});

const called = Object.entries(mistakes).flatMap(([name, cases]) =>
  'none' in cases ? [] : ([[name, cases]] as const),
);

it('every function with cases of mistakes has at least one', () => {
  expect(called.filter(([, cases]) => cases.length === 0).map(([name]) => name)).toEqual([]);
});

describe.each(called)('%s', (_, cases) => {
  it.each(cases.map(([call, code, message]) => ({ call, code, message })))(
    '$message',
    ({ call, code, message }) => {
      let error: unknown;
      scope(() => {
        try {
          call();
        } catch (thrown) {
          error = thrown;
        }
      });
      expect(error).toBeInstanceOf(TensorError);
      expect((error as TensorError).message).toBe(message);
      expect((error as TensorError).code).toBe(code);
      expect(message.startsWith(`${(error as TensorError).op}: `)).toBe(true);
    },
  );
});

describe('mixed backends', () => {
  const other = referenceBackend();
  const mixable = Object.entries(opCases).flatMap(([name, { cases }]) => {
    const test = cases.find(({ inputs }) => inputs.length > 1 && inputs.every(({ data }) => data.length > 0));
    return test ? [{ name, test }] : [];
  });

  it.each(mixable)('$name refuses inputs of two backends', ({ test }) => {
    scope(() => {
      const inputs = test.inputs.map(({ data, shape, dtype }, k) => {
        setBackend(k === 1 ? other : reference);
        return tensor(data, { shape, dtype });
      });
      setBackend(reference);
      expect(() => test.run(inputs)).toThrow(
        /expected all inputs on one backend, got .*reference \[.*\(copy with tensor/,
      );
    });
  });

  it('an index of another backend is refused too', () => {
    scope(() => {
      setBackend(other);
      const index = rowIndex([0], 2);
      setBackend(reference);
      expect(() => gather(zeros([2, 2]), index)).toThrow('gather: expected all inputs on one backend');
    });
  });

  it('no backend chosen is said as such', () => {
    setBackend(undefined);
    expect(() => zeros([1])).toThrow(
      'setBackend: no backend is chosen (call setBackend(await openBackend()) first)',
    );
    setBackend(reference);
  });
});
