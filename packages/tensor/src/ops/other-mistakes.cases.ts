/** The mistakes one can make outside the registry: makers, indices, autograd, options. */
import { grad, parameter, valueAndGrad } from '../autograd/grad.ts';
import { referenceBackend } from '../backends/reference/reference-backend.ts';
import { joinIndices, rowIndex, segments } from '../core/row-index.ts';
import type { Tensor } from '../core/tensor.ts';
import { arange, eye, tensor, zeros } from '../create/create.ts';
import * as api from '../index.ts';
import type { Mistake } from './op-mistakes.cases.ts';

const f = (...shape: number[]): Tensor => zeros(shape);
const i = (...shape: number[]): Tensor => zeros(shape, { dtype: 'int32' });

export const otherMistakes: Readonly<Record<string, readonly Mistake[]>> = {
  tensor: [
    [() => tensor([[1, 2], [3]]), 'shape', 'tensor: expected 2 entries at [1], as elsewhere, got 1 entries'],
    [() => tensor([1, [2]]), 'shape', 'tensor: expected a number at [1], as elsewhere, got 1 entries'],
    [
      () => tensor([1.5], { dtype: 'int32' }),
      'dtype',
      'tensor: expected values that are int32, got 1.5 at 0',
    ],
    [() => tensor([1, 2, 3], { shape: [2, 2] }), 'shape', 'tensor: expected 4 values for [2, 2], got 3'],
    [
      () => tensor([1], { size: [1] } as object),
      'option',
      "tensor: could not resolve option 'size' among {dtype, shape}",
    ],
    [
      () => tensor(['1'] as unknown as number[]),
      'dtype',
      'tensor: expected numbers or booleans, got string at [0]',
    ],
  ],
  arange: [[() => arange(-1), 'shape', 'arange: shape must be whole numbers ≥ 0, got [-1]']],
  eye: [[() => eye(1.5), 'shape', 'eye: shape must be whole numbers ≥ 0, got [1.5]']],
  assign: [
    [() => api.assign(parameter(f(2)), f(3)), 'shape', 'assign: source must have shape [2], got float32 [3]'],
    [
      () => api.assign(parameter(f(2)), i(2)),
      'dtype',
      'assign: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)',
    ],
    [
      () => api.assign(f(2), f(2)),
      'option',
      'assign: expected a parameter to overwrite, got a constant tensor [2] (make it with parameter())',
    ],
    [
      () => {
        const freed = f(2);
        freed.dispose();
        api.assign(parameter(f(2)), freed);
      },
      'disposed',
      'assign: expected a live tensor, got float32 [2] freed by dispose()',
    ],
    [
      () => api.assign(parameter(f(2)), arange(2, { backend: referenceBackend() })),
      'backend',
      'assign: expected all inputs on one backend, got reference [2], reference [2] (copy with tensor(await x.data(), { shape }))',
    ],
  ],
  reshape: [
    [() => api.reshape(f(2, 3), [4]), 'shape', 'reshape: expected a shape of 6 elements for [2, 3], got [4]'],
    [
      () => api.reshape(f(2, 3), [4, -1]),
      'shape',
      'reshape: expected a shape of 6 elements for [2, 3], got [4, -1]',
    ],
  ],
  split: [
    [
      () => api.split(f(5), 2),
      'shape',
      'split: expected parts that add up to 5 (axis 0 of [5]), got 2 equal parts',
    ],
    [
      () => api.split(f(5), [2, 2]),
      'shape',
      'split: expected parts that add up to 5 (axis 0 of [5]), got [2, 2]',
    ],
  ],
  stack: [[() => api.stack([f(2), f(3)]), 'shape', 'stack: expected tensors of one shape, got [2] and [3]']],
  mean: [[() => api.mean(i(2)), 'dtype', 'mean: x must be float32, got int32 [2]']],
  crossEntropy: [
    [
      () => api.crossEntropy(f(2, 3), rowIndex([0, 1], 4)),
      'shape',
      'crossEntropy: logits must have shape [·, 4], got float32 [2, 3]',
    ],
    [
      () => api.crossEntropy(f(2, 3), rowIndex([0], 3)),
      'shape',
      'crossEntropy: labels must have length 2 (x.shape[0]), got 1 ids; x is float32 [2, 3]',
    ],
  ],
  joinIndices: [
    [() => joinIndices([]), 'index', 'joinIndices: expected at least one index, got none'],
    [
      () => joinIndices([rowIndex([0], 3), rowIndex([0], 4)], { sameRows: true }),
      'index',
      'joinIndices: expected parts into the same 3 rows, got 4 at 1',
    ],
    [
      () => joinIndices([rowIndex([0], 2 ** 31), rowIndex([0], 1)]),
      'index',
      'joinIndices: expected at most 2147483648 rows in all, got 2147483649',
    ],
  ],
  rowIndex: [
    [() => rowIndex([0, 3], 3), 'index', 'rowIndex: expected ids in 0 … 2, got 3 at 1'],
    [() => rowIndex([0, -1], 3), 'index', 'rowIndex: expected ids in 0 … 2, got -1 at 1'],
    [() => rowIndex([0.5], 3), 'index', 'rowIndex: expected ids in 0 … 2, got 0.5 at 0'],
    [() => rowIndex([0], 0), 'index', 'rowIndex: expected ids in none: there are no rows, got 0 at 0'],
    [() => rowIndex([], -1), 'index', 'rowIndex: expected a whole number of rows ≥ 0, got -1'],
    [() => rowIndex(4 as never, 5), 'index', 'rowIndex: expected a list of ids, got number'],
    [
      () => rowIndex([2 ** 32], 2 ** 40),
      'index',
      `rowIndex: expected ids in 0 … ${2 ** 40 - 1}, got 4294967296 at 0`,
    ],
  ],
  segments: [
    [
      () => segments([0, 2, 1], 3),
      'index',
      'segments: expected ids that never decrease, got 2 then 1 at 2 (scatterAdd takes any order; or sort the rows first)',
    ],
  ],
  parameter: [
    [
      () => parameter(i(2)),
      'dtype',
      'parameter: expected a float32 tensor to differentiate by, got int32 [2]',
    ],
  ],
  valueAndGrad: [
    [
      () => valueAndGrad(() => f(2)),
      'shape',
      'valueAndGrad: expected the function to return one float32 value, got float32 [2] (sum or mean it)',
    ],
    [
      () => valueAndGrad((async () => f()) as unknown as () => Tensor),
      'option',
      'valueAndGrad: expected a synchronous function, got one that returns a promise',
    ],
    [
      () => grad(() => f(), [i(2)]),
      'dtype',
      'valueAndGrad: expected a float32 tensor to differentiate by, got int32 [2]',
    ],
  ],
  defineOp: [
    [
      () =>
        api.defineOp({
          name: 'x',
          infer: () => [],
          reference: () => {},
          forward: 1,
        } as unknown as api.OpDefinition<'x', object>),
      'option',
      "defineOp: could not resolve option 'forward' among {name, infer, reference, backward, saves, isView, mutates, kernels}",
    ],
  ],
  referenceBackend: [
    [
      () => referenceBackend({ precision: 'float16' as 'float32' }),
      'option',
      "referenceBackend: could not resolve precision 'float16' among {float32, float64}",
    ],
  ],
  randomKey: [
    [() => api.randomKey(-1), 'option', 'randomKey: expected a whole number from 0 to 2⁵³ − 1, got -1'],
  ],
  uniform: [
    [
      () => api.uniform(api.randomKey(1), [2], { min: 1, max: 0 }),
      'option',
      'uniform: expected min ≤ max, got 1 and 0',
    ],
  ],
  normal: [
    [
      () => api.normal(api.randomKey(1), [2], { standardDeviation: -1 }),
      'option',
      'normal: standardDeviation must be ≥ 0, got -1',
    ],
  ],
};
