import { describe, expect, it } from 'vitest';
import { parameter, valueAndGrad } from '../ops/grad/grad.ts';
import { tensor } from '../create/create.ts';
import { add, div } from '../ops/elementwise/binary.op.ts';
import { log, sqrt, tanh } from '../ops/elementwise/unary.op.ts';
import { matmul } from '../ops/matmul/matmul.op.ts';
import { sum } from '../ops/reduce/sum.op.ts';
import { useReference } from '../testing/vitest/use-reference.ts';
import { checkNumerics } from './check-numerics.ts';
import { traceOps } from './trace-ops.ts';

useReference();

describe('checkNumerics', () => {
  it('names the op, the shapes of its inputs and the first bad index', async () => {
    const x = tensor([
      [1, 2, 3],
      [4, 0, -1],
    ]);
    await expect(checkNumerics(() => add(log(x), 1))).rejects.toThrow(
      'checkNumerics: expected finite values, got -Infinity at [1, 1] of log(float32 [2, 3]) → [2, 3]',
    );
    await expect(checkNumerics(() => div(x, tensor([0, 1, 1])))).rejects.toThrow(
      'got Infinity at [0, 0] of div(float32 [2, 3], float32 [3]) → [2, 3]',
    );
  });

  it('looks at the backward pass too', async () => {
    const w = parameter(tensor([0]));
    await expect(checkNumerics(() => valueAndGrad(() => sum(sqrt(w))))).rejects.toThrow(
      'got Infinity at [0] of div(float32 [1], float32 [1]) → [1]',
    );
  });

  it('returns what the function returns, waits for it, and stops looking afterwards', async () => {
    expect(await checkNumerics(async () => (await tensor([2]).data())[0])).toBe(2);
    await expect(checkNumerics(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(() => log(tensor([0]))).not.toThrow();
  });
});

describe('traceOps', () => {
  it('lists the ops of a step with counts and shapes, backward included', () => {
    const w = parameter(
      tensor([
        [1, 2],
        [3, 4],
      ]),
    );
    const x = tensor([[1, 2]]);
    const trace = traceOps(() => valueAndGrad(() => sum(tanh(matmul(tanh(matmul(x, w)), w)))));
    expect(trace.ops.slice(0, 3)).toEqual([
      { op: 'matmul', inputs: '[1, 2] [2, 2]', outputs: '[1, 2]', count: 3 },
      { op: 'tanh', inputs: '[1, 2]', outputs: '[1, 2]', count: 2 },
      { op: 'sum', inputs: '[1, 2]', outputs: '[]', count: 1 },
    ]);
    expect(String(trace).split('\n').slice(0, 3)).toEqual([
      'count  op           inputs         outputs',
      '    3  matmul       [1, 2] [2, 2]  [1, 2]',
      '    2  tanh         [1, 2]         [1, 2]',
    ]);
    expect(trace.result.value.shape).toEqual([]);
  });

  it('stops listing when the function throws', () => {
    expect(() =>
      traceOps(() => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
    expect(traceOps(() => tanh(tensor([1]))).ops).toHaveLength(1);
  });
});
