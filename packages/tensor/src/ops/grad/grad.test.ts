import { describe, expect, it } from 'vitest';
import type { NdArray, TensorSpec } from '../../core/dtype.ts';
import { partialSums } from '../../core/gradient.ts';
import { defineOp } from '../../core/op.ts';
import { rowIndex } from '../../core/row-index.ts';
import type { RowIndex } from '../../core/row-index.ts';
import { scope } from '../../core/scope.ts';
import { memory } from '../../core/storage.ts';
import { Tensor } from '../../core/tensor.ts';
import { tensor, zeros } from '../../create/create.ts';
import { traceOps } from '../../debug/trace-ops.ts';
import { adamUpdate } from '../adam/adam-update.op.ts';
import { assign } from '../../core/assign.ts';
import { add, greater, mul } from '../elementwise/binary.op.ts';
import { exp, square, tanh } from '../elementwise/unary.op.ts';
import { gather } from '../gather/gather.op.ts';
import { linear } from '../linear/linear.op.ts';
import { matmul } from '../matmul/matmul.op.ts';
import { sum } from '../reduce/sum.op.ts';
import { concat, stack } from '../shape/concat.op.ts';
import { reshape } from '../shape/reshape.op.ts';
import { useReference } from '../../testing/vitest/use-reference.ts';
import { grad, parameter, stopGradient, valueAndGrad } from './grad.ts';
import { noGrad } from '../../core/recording.ts';

useReference({ precision: 'float64' });

/** y = x, without a gradient. */
const copying = {
  operands: { x: 'tensor' },
  outputs: { y: 'tensor' },
  infer: ({ x }: { x: TensorSpec }) => ({ y: x }),
  reference: ({ x }: { x: NdArray }, { y }: { y: NdArray }) => {
    y.data.set(x.data);
  },
} as const;

describe('valueAndGrad', () => {
  it('gives the value and a gradient for every parameter that was used', async () => {
    const [w, b, unused] = [[2], [3], [4]].map((values) => parameter(tensor(values)));
    const { value, grads } = valueAndGrad(() => sum(add(mul(w, 5), b)));
    expect(await value.item()).toBe(13);
    expect([...grads.keys()]).toEqual([w, b]);
    expect(await grads.get(w)!.item()).toBe(5);
    expect(await grads.get(b)!.item()).toBe(1);
    expect(grads.has(unused)).toBe(false);
  });

  it('leaves the gradient of a table by row as it was read, unless more of it was', async () => {
    const index = rowIndex([2, 0], 4);
    const [u, w] = [parameter(tensor([[1], [2], [3], [4]])), parameter(tensor([5]))];
    const read = () => sum(mul(gather(u, index), w));
    const byRow = valueAndGrad(read, { byRow: [u] }).grads;
    const rows = byRow.get(u)!;
    if (rows instanceof Tensor) throw new Error('expected rows');
    expect(await rows.rows.toArray()).toEqual([[5], [5]]);
    expect(rows.index.toArray()).toEqual(Int32Array.of(2, 0));
    expect(await (byRow.get(w) as Tensor).toArray()).toEqual([4]);
    const whole = valueAndGrad(() => add(read(), sum(u)), { byRow: [u] }).grads.get(u)!;
    expect(await (whole as Tensor).toArray()).toEqual([[6], [1], [6], [1]]);
    const none = valueAndGrad(() => sum(square(w)), { byRow: [u] }).grads;
    expect([...none.keys()]).toEqual([w]);
  });

  it('adds up gradients where a value is used more than once', async () => {
    const x = tensor([3]);
    const [dx] = grad(() => {
      const y = square(x);
      return sum(add(mul(y, x), add(y, x)));
    }, [x]);
    expect(await dx.item()).toBe(3 * 9 + 2 * 3 + 1); // d(x³ + x² + x)
  });

  it('adds what flows to a value from many uses in one op', async () => {
    const x = tensor([3]);
    let dx = x;
    const { ops } = traceOps(() => {
      [dx] = grad(() => sum([1, 2, 3, 4].map((k) => mul(x, k)).reduce((a, b) => add(a, b))), [x]);
    });
    expect(await dx.item()).toBe(10);
    expect(ops.find(({ op }) => op === 'addAll')!.count).toBe(1);
  });

  it('adds what gathers send back to a value, and all else, in one pass', async () => {
    const x = tensor([1, 2, 3]);
    const index = (...ids: number[]): RowIndex => rowIndex(ids, 3);
    let dx = x;
    const { ops } = traceOps(() => {
      const [first, second] = [index(2, 0, 2), index(1)];
      [dx] = grad(() => sum(concat([mul(gather(x, first), 10), gather(x, second), square(x)])), [x]);
    });
    expect(await dx.toArray()).toEqual([12, 5, 26]);
    expect(ops.filter(({ op }) => /^(scatterAdd|segmentSum|addAll)/.test(op)).map(({ op }) => op)).toEqual([
      'scatterAddAll',
    ]);
  });

  it('adds up partial sums that a rule gives as a stack', async () => {
    const copy = defineOp({
      name: 'copy',
      ...copying,
      backward: (_, { dout: { y } }) => ({ x: () => partialSums(stack([y, mul(y, 10)])) }),
    });
    const x = tensor([1, 2]);
    const [dx] = grad(() => sum(add(copy.apply({ x }, {}).y, x)), [x]);
    expect(await dx.toArray()).toEqual([12, 12]);
  });

  it('gives zeros for sources that the value does not depend on', async () => {
    const [x, y] = [tensor([1, 2]), tensor([3])];
    const [dx] = grad(() => sum(y), [x]);
    expect(await dx.toArray()).toEqual([0, 0]);
  });

  it('gives 1 for the value itself', async () => {
    const x = tensor([7]);
    expect(await grad(() => x, [x])[0].item()).toBe(1);
  });

  it('differentiates by given sources only, though parameters take part', () => {
    const [x, w] = [tensor([1]), parameter(tensor([2]))];
    const { grads } = valueAndGrad(() => sum(mul(x, w)), [x]);
    expect([...grads.keys()]).toEqual([x]);
  });

  it('sends no gradient through comparisons', async () => {
    const x = tensor([1, -1]);
    const [dx] = grad(() => sum(mul(x, reshape(x, [2]))), [x]);
    expect(await dx.toArray()).toEqual([2, -2]);
    expect(greater(x, 0).dtype).toBe('bool');
  });

  it('leaves nothing alive but the value and the gradients', () => {
    const w = parameter(
      tensor([
        [1, 2],
        [3, 4],
      ]),
    );
    const before = memory().buffers;
    scope(() => valueAndGrad(() => sum(tanh(matmul(w, w)))));
    expect(memory().buffers).toBe(before + 2);
  });

  it('leaves no tape open and nothing saved when the function throws', () => {
    const w = parameter(tensor([1]));
    const before = memory();
    scope(() => {
      expect(() =>
        valueAndGrad(() => {
          exp(w);
          throw new Error('mine');
        }),
      ).toThrow('mine');
      expect(traceOps(() => exp(w)).ops).toHaveLength(1);
    });
    expect(memory()).toEqual(before);
  });
});

describe('what is recorded', () => {
  it('is only what needs a gradient: constants cost no backward', () => {
    const [w, x] = [parameter(tensor([1])), tensor([2])];
    const { ops } = traceOps(() => valueAndGrad(() => sum(mul(w, exp(exp(x))))));
    expect(ops.filter(({ op }) => op === 'exp').map(({ count }) => count)).toEqual([2]);
    // Backward of mul: one product for w, none for the constant side.
    expect(ops.filter(({ op }) => op === 'mul').map(({ count }) => count)).toEqual([2]);
  });

  it('outlives the scope it was made in', async () => {
    const w = parameter(tensor([0.5]));
    const { grads } = valueAndGrad(() => scope(() => sum(square(exp(w)))));
    expect(await grads.get(w)!.item()).toBeCloseTo(2 * Math.exp(1), 12);
  });

  it('outlives its own disposal', async () => {
    const w = parameter(tensor([2]));
    const { grads } = valueAndGrad(() => {
      using y = square(w);
      return sum(square(y));
    });
    expect(await grads.get(w)!.item()).toBe(32);
  });

  it('does not include what stopGradient hides', async () => {
    const x = tensor([3]);
    const [dx] = grad(() => sum(mul(x, stopGradient(square(x)))), [x]);
    expect(await dx.item()).toBe(9);
  });

  it('does not include what noGrad ran', async () => {
    const x = tensor([3]);
    const [dx] = grad(
      () =>
        sum(
          mul(
            x,
            noGrad(() => square(x)),
          ),
        ),
      [x],
    );
    expect(await dx.item()).toBe(9);
  });

  it('goes on after a noGrad that threw', async () => {
    const x = tensor([3]);
    const [dx] = grad(() => {
      expect(() =>
        noGrad(() => {
          throw new Error('mine');
        }),
      ).toThrow('mine');
      return sum(square(x));
    }, [x]);
    expect(await dx.item()).toBe(6);
  });
});

describe('gradients of gradients', () => {
  it('come from nesting', async () => {
    const x = tensor([2]);
    const cube = () => sum(mul(x, square(x)));
    const first = () => sum(grad(cube, [x])[0]);
    const second = () => sum(grad(first, [x])[0]);
    expect(await first().item()).toBe(12);
    expect(await second().item()).toBe(12);
    expect(await grad(second, [x])[0].item()).toBe(6);
  });

  it('reach parameters that the inner gradient did not ask for', async () => {
    const [x, w] = [tensor([3]), parameter(tensor([5]))];
    // d/dx (w·x²) = 2wx; d/dw of that is 2x.
    const { grads } = valueAndGrad(() => sum(grad(() => sum(mul(w, square(x))), [x])[0]));
    expect(await grads.get(w)!.item()).toBe(6);
  });

  it('are refused with the name of the fused op that has none', () => {
    const [x, weight, bias] = [zeros([1, 2]), zeros([2, 3]), zeros([3])];
    const first = () => sum(grad(() => sum(square(linear(x, weight, bias))), [weight])[0]);
    expect(() => grad(first, [weight])).toThrow(
      'linearWeightGrad: has no gradient (wrap its input in stopGradient, or use an op that has one)',
    );
  });
});

describe('values overwritten in place', () => {
  const moments = () => ({ first: parameter(zeros([1])), second: parameter(zeros([1])) });

  it('are refused by a backward pass that saved them', () => {
    const w = parameter(tensor([2]));
    expect(() =>
      valueAndGrad(() => {
        const y = square(w);
        assign(w, tensor([1]));
        return sum(y);
      }),
    ).toThrow(
      'square: expected float32 [1], saved for backward, to be unchanged, got it overwritten by assign ' +
        '(update parameters after the gradient is taken)',
    );
  });

  it('name adamUpdate as well', () => {
    const w = parameter(tensor([2]));
    expect(() =>
      valueAndGrad(() => {
        const y = mul(w, w);
        adamUpdate(w, tensor([1]), moments(), { step: 1, learningRate: 1 });
        return sum(y);
      }),
    ).toThrow('overwritten by adamUpdate');
  });

  it('do no harm where only the shape was needed, or afterwards', async () => {
    const w = parameter(tensor([2]));
    const { grads } = valueAndGrad(() => {
      const y = add(w, 1);
      assign(w, tensor([5]));
      return sum(y);
    });
    adamUpdate(w, grads.get(w)!, moments(), { step: 1, learningRate: 1 });
    expect(await w.item()).toBeCloseTo(4, 6);
  });
});

describe('a parameter', () => {
  it('is a copy: what it was made of does not change with it', async () => {
    const initial = tensor([1]);
    const w = parameter(initial);
    assign(w, tensor([9]));
    expect(await initial.item()).toBe(1);
  });
});

describe('a user’s own op', () => {
  /** y = x³ */
  const cubeOp = defineOp({
    name: 'cube',
    operands: { x: 'tensor' },
    outputs: { y: 'tensor' },
    infer: ({ x }) => ({ y: x }),
    reference: ({ x }, { y }) => x.data.forEach((value, k) => (y.data[k] = value ** 3)),
    backward: ({ x }, { dout }) => ({ x: () => mul(dout.y, mul(3, square(x))) }),
  });
  const cube = (x: Parameters<typeof square>[0]) => cubeOp.apply({ x }, {}).y;

  it('runs, differentiates, and differentiates again', async () => {
    const x = tensor([2]);
    expect(await cube(x).item()).toBe(8);
    expect(await grad(() => sum(cube(x)), [x])[0].item()).toBe(12);
    expect(await grad(() => sum(grad(() => sum(cube(x)), [x])[0]), [x])[0].item()).toBe(12);
  });

  it('is told when its gradient has the wrong shape', () => {
    const wrong = defineOp({
      name: 'wrong',
      ...copying,
      backward: (_, { dout }) => ({ x: () => sum(dout.y) }),
    });
    const x = zeros([2]);
    expect(() => grad(() => sum(wrong.apply({ x }, {}).y), [x])).toThrow(
      'wrong: backward must give x a gradient of float32 [2], got float32 []',
    );
  });

  it('is told when its backward reads what it did not save', () => {
    const careless = defineOp({
      name: 'careless',
      ...copying,
      saves: [],
      // @ts-expect-error: the compiler tells first
      backward: ({ x }, { dout }) => ({ x: () => mul(dout.y, x) }),
    });
    const x = zeros([2]);
    expect(() => grad(() => sum(careless.apply({ x }, {}).y), [x])).toThrow(
      "mul: expected a live tensor, got float32 [2] freed by not being in 'saves' of careless",
    );
  });

  it('without a backward stops a gradient with a clear error, and only when one arrives', () => {
    const rigid = defineOp({
      name: 'rigid',
      ...copying,
    });
    const x = zeros([1]);
    expect(() => grad(() => sum(rigid.apply({ x }, {}).y), [x])).toThrow('rigid: has no gradient');
    expect(() =>
      grad(() => {
        rigid.apply({ x }, {});
        return sum(x);
      }, [x]),
    ).not.toThrow();
  });
});

it('an index saved by the tape serves the backward pass without a second sort', () => {
  const index = rowIndex([1, 0, 1], 2);
  expect(index.order).toBe(index.order);
});
