import { describe, expect, it } from 'vitest';
import { rowIndex } from '../../core/row-index.ts';
import { scope } from '../../core/scope.ts';
import { memory } from '../../core/storage.ts';
import type { Tensor } from '../../core/tensor.ts';
import { tensor, zeros } from '../../create/create.ts';
import { traceOps } from '../../debug/trace-ops.ts';
import { assign } from '../../core/assign.ts';
import { add, mul } from '../elementwise/binary.op.ts';
import { exp, square, tanh } from '../elementwise/unary.op.ts';
import { gather } from '../gather/gather.op.ts';
import { matmul } from '../matmul/matmul.op.ts';
import { sum } from '../reduce/sum.op.ts';
import { normal } from '../../random/distributions.ts';
import { randomKey } from '../../random/random-key.ts';
import { useReference } from '../../testing/vitest/use-reference.ts';
import { grad, parameter, stopGradient, valueAndGrad } from './grad.ts';
import { recompute } from './recompute.ts';

useReference({ precision: 'float64' });

const plainly = (fn: () => Tensor): Tensor => fn();
const countOf = (ops: ReturnType<typeof traceOps>['ops'], name: string): number =>
  ops.filter(({ op }) => op === name).reduce((total, { count }) => total + count, 0);

describe('recompute', () => {
  const w = (): Tensor => parameter(normal(randomKey(1), [4, 4]));
  const index = (): ReturnType<typeof rowIndex> => rowIndex([3, 0, 3], 4);

  it('gives the values and gradients of the function itself', async () => {
    const [weight, rows] = [w(), index()];
    const results = [plainly, recompute].map((run) =>
      valueAndGrad(() => {
        const before = tanh(weight);
        const after = run(() => {
          const noise = mul(normal(randomKey(2), [3, 4]), 0.1);
          return add(matmul(gather(exp(before), rows), weight), noise);
        });
        return sum(square(after));
      }),
    );
    const [plain, again] = results;
    expect(await again.value.item()).toBe(await plain.value.item());
    expect([...again.grads.keys()]).toEqual([weight]);
    const [expected, got] = await Promise.all(results.map(({ grads }) => grads.get(weight)!.data()));
    got.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 12);
    });
    expect(expected.some((value) => value !== 0)).toBe(true);
  });

  it('keeps nothing that the function made, and runs it twice', () => {
    const weight = w();
    const alive = (run: typeof plainly): { buffers: number; runs: number } => {
      using _ = scope('alive');
      let buffers = 0;
      const { ops } = traceOps(() =>
        valueAndGrad(() => {
          const deep = scope(() => run(() => exp(exp(exp(weight)))));
          buffers = memory().buffers;
          return sum(deep);
        }),
      );
      return { buffers, runs: countOf(ops, 'exp') };
    };
    const [plain, again] = [alive(plainly), alive(recompute)];
    expect(plain.runs).toBe(3);
    expect(again.runs).toBe(6);
    expect(plain.buffers - again.buffers).toBe(2);
  });

  it('leaves nothing alive but the value and the gradients', () => {
    const weight = w();
    const before = memory().buffers;
    scope(() => valueAndGrad(() => sum(recompute(() => tanh(matmul(weight, weight))))));
    expect(memory().buffers).toBe(before + 2);
  });

  it('reads what its surroundings have freed by then', async () => {
    const x = tensor([0.5]);
    const [dx] = grad(
      () =>
        scope(() => {
          using inside = square(x);
          return sum(recompute(() => exp(exp(inside))));
        }),
      [x],
    );
    const outer = Math.exp(0.25);
    expect(await dx.item()).toBeCloseTo(Math.exp(outer) * outer, 12);
  });

  it('reads constants and indices that scopes inside of the function have freed', async () => {
    const x = parameter(tensor([1, 2, 3]));
    const before = memory().buffers;
    const { grads } = scope(() =>
      valueAndGrad(() =>
        sum(
          recompute(() => {
            const picked = scope(() => mul(gather(x, rowIndex([2, 0], 3)), tensor([5, 7])));
            return square(picked);
          }),
        ),
      ),
    );
    // d(5·x₂)² = 2·25·x₂ and d(7·x₀)² = 2·49·x₀
    expect(Array.from(await grads.get(x)!.data())).toEqual([98, 0, 150]);
    expect(memory().buffers).toBe(before + 2);
  });

  it('nests, in itself and in gradients of gradients', async () => {
    const x = tensor([2]);
    const cube = (): Tensor =>
      sum(
        recompute(() =>
          mul(
            x,
            recompute(() => square(x)),
          ),
        ),
      );
    const first = (): Tensor => sum(grad(cube, [x])[0]);
    expect(await first().item()).toBe(12);
    expect(await grad(first, [x])[0].item()).toBe(12);
  });

  it('sends nothing through stopGradient, nor to what the result does not depend on', async () => {
    const [x, y] = [tensor([3]), tensor([4])];
    const [dx, dy] = grad(
      () =>
        sum(
          recompute(() => {
            square(y);
            return mul(x, stopGradient(square(x)));
          }),
        ),
      [x, y],
    );
    expect(await dx.item()).toBe(9);
    expect(await dy.item()).toBe(0);
  });

  it('is the function alone where nothing records', () => {
    const { ops } = traceOps(() => recompute(() => exp(zeros([1]))));
    expect(countOf(ops, 'exp')).toBe(1);
  });

  it('gives back what it was given, if the function makes nothing', async () => {
    const x = tensor([3]);
    const [dx] = grad(() => square(recompute(() => x)), [x]);
    expect(await dx.item()).toBe(6);
  });

  it('refuses values that were overwritten in between, and promises', () => {
    const weight = parameter(tensor([2]));
    expect(() =>
      valueAndGrad(() => {
        const y = recompute(() => square(weight));
        assign(weight, tensor([1]));
        return sum(y);
      }),
    ).toThrow(
      'recompute: expected float32 [1], saved for backward, to be unchanged, got it overwritten by assign',
    );
    expect(() =>
      valueAndGrad(() =>
        sum(
          recompute(() => {
            const y = square(weight);
            assign(weight, tensor([3]));
            return y;
          }),
        ),
      ),
    ).toThrow('recompute: expected float32 [1], saved for backward, to be unchanged');
    expect(() =>
      valueAndGrad(() => recompute((() => Promise.resolve(weight)) as unknown as () => Tensor)),
    ).toThrow('recompute: expected a synchronous function, got one that returns a promise');
  });
});
