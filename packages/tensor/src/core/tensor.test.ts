import { describe, expect, it } from 'vitest';
import { parameter } from '../ops/grad/grad.ts';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { arange, eye, full, ones, tensor, zeros } from '../create/create.ts';
import { greater } from '../ops/elementwise/binary.op.ts';
import { useReference } from '../testing/vitest/use-reference.ts';
import { setBackend } from './backend.ts';

useReference();

describe('tensor', () => {
  it('is made of a number, nested arrays or a typed array', async () => {
    expect(tensor(3)).toMatchObject({ shape: [], dtype: 'float32', rank: 0, size: 1 });
    expect(
      await tensor([
        [1, 2],
        [3, 4],
      ]).toArray(),
    ).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(tensor([[[]]]).shape).toEqual([1, 1, 0]);
    expect(tensor(new Int32Array([1, 2]))).toMatchObject({ shape: [2], dtype: 'int32' });
    expect(await tensor(new Float32Array([1, 2, 3, 4]), { shape: [2, 2] }).toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(tensor(new Float64Array([1]))).toMatchObject({ dtype: 'float32' });
    expect(await tensor([true, false]).data()).toEqual(new Int32Array([1, 0]));
    expect(tensor([1, 2], { dtype: 'int32' }).dtype).toBe('int32');
  });

  it('keeps its values when the array it was made of changes', async () => {
    const source = new Float32Array([1]);
    const x = tensor(source);
    source[0] = 9;
    (await x.data())[0] = 9;
    expect(await x.item()).toBe(1);
  });

  it('rounds to float32', async () => {
    expect(await tensor(0.1).item()).toBe(Math.fround(0.1));
  });

  it('cannot be reshaped from outside', () => {
    expect(() => {
      (tensor([1, 2]).shape as number[])[0] = 5;
    }).toThrow(TypeError);
  });

  it('item refuses more than one value', async () => {
    await expect(tensor([1, 2]).item()).rejects.toThrow('item: expected a tensor of one element, got [2]');
  });
});

describe('makers', () => {
  it('fill, count and stand on the diagonal', async () => {
    expect(await zeros([2]).toArray()).toEqual([0, 0]);
    expect(await ones([2], { dtype: 'int32' }).data()).toEqual(new Int32Array([1, 1]));
    expect(await full([1, 2], 7).toArray()).toEqual([[7, 7]]);
    expect(await arange(3).toArray()).toEqual([0, 1, 2]);
    expect(arange(2, { dtype: 'int32' }).dtype).toBe('int32');
    expect(await eye(2).toArray()).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});

describe('toString', () => {
  it('shows shape, dtype and aligned values', () => {
    expect(
      String(
        tensor([
          [1, 2.5],
          [-3, 40],
        ]),
      ),
    ).toBe('tensor float32 [2, 2]\n[[  1, 2.5],\n [ -3,  40]]');
  });

  it('cuts long axes in the middle', () => {
    expect(String(arange(100, { dtype: 'int32' }))).toBe('tensor int32 [100]\n[ 0,  1,  2, …, 97, 98, 99]');
    expect(String(zeros([100, 2])).split('\n')).toHaveLength(8);
  });

  it('shows masks, scalars, parameters, extremes and nothing', () => {
    expect(String(greater(tensor([1, -1]), 0))).toBe('tensor bool [2]\n[ true, false]');
    expect(String(tensor(1.25))).toBe('tensor float32 []\n1.25');
    expect(String(parameter(tensor([1])))).toBe('parameter float32 [1]\n[1]');
    expect(String(tensor([1e-7, 123456, Infinity, NaN, 0]))).toBe(
      'tensor float32 [5]\n[1.000e-7, 1.235e+5, Infinity,      NaN,        0]',
    );
    expect(String(zeros([0, 3]))).toBe('tensor float32 [0, 3]\n[]');
  });

  it('says what freed a tensor', () => {
    const x = tensor([1]);
    x.dispose();
    expect(String(x)).toBe('tensor float32 [1] freed by dispose()');
  });

  it('says how to see the values of a backend that cannot be read at once; show waits for them', async () => {
    const backend = referenceBackend();
    Object.assign(backend, { readNow: undefined, read: () => Promise.resolve(new Float32Array([5])) });
    const previous = setBackend(backend);
    const x = tensor([5]);
    setBackend(previous);
    expect(String(x)).toBe('tensor float32 [1] on reference (await show() for the values)');
    expect(await x.show()).toBe('tensor float32 [1]\n[5]');
  });
});
