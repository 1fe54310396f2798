/** The mistakes one can make with each op, and the message for each. */
import { parameter, grad } from '../autograd/grad.ts';
import type { TensorErrorCode } from '../core/errors.ts';
import { rowIndex, segments } from '../core/row-index.ts';
import type { Tensor } from '../core/tensor.ts';
import { full, zeros } from '../create/create.ts';
import * as api from '../index.ts';
import { addAll } from './add-all/add-all.op.ts';
import type { OpName } from './registry.ts';

const f = (...shape: number[]): Tensor => zeros(shape);
const i = (...shape: number[]): Tensor => zeros(shape, { dtype: 'int32' });

export type Mistake = readonly [call: () => unknown, code: TensorErrorCode, message: string];

const unary = (
  name:
    | 'neg'
    | 'exp'
    | 'log'
    | 'sqrt'
    | 'square'
    | 'abs'
    | 'reciprocal'
    | 'tanh'
    | 'sigmoid'
    | 'relu'
    | 'softplus',
): Mistake[] => [[() => api[name](i(2)), 'dtype', `${name}: x must be float32, got int32 [2]`]];

const arithmetic = (name: 'add' | 'sub' | 'mul' | 'maximum' | 'minimum' | 'div' | 'pow'): Mistake[] => [
  [
    () => api[name](f(2, 3), f(2)),
    'shape',
    `${name}: expected shapes that broadcast, got [2, 3] and [2] (axis −1: 3 against 2)`,
  ],
  ...(name === 'div' || name === 'pow'
    ? [[() => api[name](i(2), i(2)), 'dtype', `${name}: a must be float32, got int32 [2]`] as const]
    : [
        [
          () => api[name](f(2), i(2)),
          'dtype',
          `${name}: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)`,
        ] as const,
        [
          () => api[name](i(2), 0.5),
          'dtype',
          `${name}: expected a whole number beside a tensor of int32, got 0.5`,
        ] as const,
      ]),
];

const comparison = (
  name: 'equal' | 'notEqual' | 'less' | 'lessEqual' | 'greater' | 'greaterEqual',
): Mistake[] => [
  [
    () => api[name](f(2), i(2)),
    'dtype',
    `${name}: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)`,
  ],
  [
    () => api[name](f(4, 1), f(3, 2)),
    'shape',
    `${name}: expected shapes that broadcast, got [4, 1] and [3, 2] (axis −2: 4 against 3)`,
  ],
];

const edges = () => ({
  senders: rowIndex([0, 1], 2),
  receivers: rowIndex([0, 0], 2),
  types: rowIndex([0, 0], 1),
});
const messages = () => ({ from: rowIndex([0, 1], 2), into: rowIndex([0, 0], 1) });
const moments = (...shape: number[]) => ({ first: parameter(f(...shape)), second: parameter(f(...shape)) });
const gru = (gateWeight: Tensor) => ({
  gateWeight,
  gateBias: f(4),
  candidateWeight: f(5, 2),
  candidateBias: f(2),
});

/** Grad ops are only called by the backward of their op, whose checks come first. */
type Checked = Exclude<
  OpName,
  | 'tanhGrad'
  | 'linearWeightGrad'
  | 'weightedSum'
  | 'scatterAddAll'
  | 'attendedSumGrad'
  | 'attendedBiasGrad'
  | 'segmentSoftmaxGrad'
  | 'edgeDotRowsGrad'
  | 'edgeDotWeightGrad'
  | 'gruCellGrad'
>;

export const opMistakes: { readonly [Name in Checked]: readonly Mistake[] } = {
  neg: unary('neg'),
  exp: unary('exp'),
  log: unary('log'),
  sqrt: unary('sqrt'),
  square: unary('square'),
  abs: unary('abs'),
  reciprocal: unary('reciprocal'),
  tanh: unary('tanh'),
  sigmoid: unary('sigmoid'),
  relu: unary('relu'),
  softplus: unary('softplus'),
  leakyRelu: [[() => api.leakyRelu(i(2)), 'dtype', 'leakyRelu: x must be float32, got int32 [2]']],
  clamp: [
    [() => api.clamp(i(2), 0, 1), 'dtype', 'clamp: x must be float32, got int32 [2]'],
    [() => api.clamp(f(2), 1, 0), 'option', 'clamp: expected min ≤ max, got 1 and 0'],
  ],
  add: arithmetic('add'),
  sub: arithmetic('sub'),
  mul: arithmetic('mul'),
  div: arithmetic('div'),
  maximum: arithmetic('maximum'),
  minimum: arithmetic('minimum'),
  pow: arithmetic('pow'),
  equal: comparison('equal'),
  notEqual: comparison('notEqual'),
  less: comparison('less'),
  lessEqual: comparison('lessEqual'),
  greater: comparison('greater'),
  greaterEqual: comparison('greaterEqual'),
  addAll: [
    [() => addAll([], [2]), 'shape', 'addAll: expected at least one term, got none'],
    [
      () => addAll([f(2), f(3, 2), f(3)], [2]),
      'shape',
      'addAll: expected terms of shape [2], or stacks of it, got [3]',
    ],
  ],
  where: [
    [() => api.where(f(2), f(2), f(2)), 'dtype', 'where: mask must be bool, got float32 [2]'],
    [
      () => api.where(api.less(f(2), 1), f(2), i(2)),
      'dtype',
      'where: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)',
    ],
    [
      () => api.where(api.less(f(2), 1), f(3), f(3)),
      'shape',
      'where: expected shapes that broadcast, got [2] and [3] (axis −1: 2 against 3)',
    ],
  ],
  cast: [
    [
      () => grad(() => api.sum(api.cast(f(2), 'int32')), [f(2)]),
      'shape',
      'valueAndGrad: expected the function to return one float32 value, got int32 [] (sum or mean it)',
    ],
  ],
  fill: [
    [() => full([2, -1], 0), 'shape', 'fill: shape must be whole numbers ≥ 0, got [2, -1]'],
    [() => full([2], 0.5, { dtype: 'int32' }), 'dtype', 'fill: expected a value that is int32, got 0.5'],
    [() => full([2], 2, { dtype: 'bool' }), 'dtype', 'fill: expected a value that is bool, got 2'],
  ],
  matmul: [
    [
      () => api.matmul(f(2, 3), f(2, 3)),
      'shape',
      'matmul: expected inner extents that agree, got [2, 3] and [2, 3] (3 against 2)',
    ],
    [
      () => api.matmul(f(2, 3), f(2, 3), { transposeA: true, transposeB: true }),
      'shape',
      'matmul: expected inner extents that agree, got [2, 3]ᵀ and [2, 3]ᵀ (2 against 3)',
    ],
    [() => api.matmul(f(3), f(3, 2)), 'shape', 'matmul: a must have at least 2 axes, got float32 [3]'],
    [() => api.matmul(f(2, 3), i(3, 2)), 'dtype', 'matmul: b must be float32, got int32 [3, 2]'],
    [
      () => api.matmul(f(2, 4, 3), f(3, 3, 2)),
      'shape',
      'matmul: expected shapes that broadcast, got [2] and [3] (axis −1: 2 against 3)',
    ],
    [
      () => api.matmul(f(2, 2), f(2, 2), { transposeC: true } as object),
      'option',
      "matmul: could not resolve option 'transposeC' among {transposeA, transposeB}",
    ],
  ],
  sum: [
    [() => api.sum(f(2, 3), 2), 'axis', 'sum: axis must be in −2 … 1, got 2'],
    [() => api.sum(f(2, 3), [0, -2]), 'axis', 'sum: axes must be distinct, got [0, -2]'],
    [() => api.sum(f(), 0), 'axis', 'sum: axis must be in none: the tensor is a scalar, got 0'],
    [() => api.sum(api.less(f(2), 1)), 'dtype', 'sum: x must be float32 or int32, got bool [2]'],
  ],
  max: [
    [() => api.max(f(2, 0), 1), 'shape', 'max: expected at least one value to compare, got [2, 0]'],
    [() => api.max(f(2), -3), 'axis', 'max: axis must be in −1 … 0, got -3'],
  ],
  argmax: [
    [() => api.argmax(f(0)), 'shape', 'argmax: expected at least one value to compare, got [0]'],
    [() => api.argmax(f(2), 1), 'axis', 'argmax: axis must be in −1 … 0, got 1'],
  ],
  permute: [
    [() => api.permute(f(2, 3), [0]), 'axis', 'permute: expected each of the 2 axes of [2, 3] once, got [0]'],
    [() => api.permute(f(2, 3), [0, 0]), 'axis', 'permute: axes must be distinct, got [0, 0]'],
  ],
  broadcastTo: [
    [
      () => api.broadcastTo(f(2, 3), [3, 3]),
      'shape',
      'broadcastTo: expected a shape that [2, 3] broadcasts to, got [3, 3]',
    ],
  ],
  concat: [
    [() => api.concat([]), 'shape', 'concat: expected at least one tensor, got none'],
    [
      () => api.concat([f(2, 3), f(2, 2)]),
      'shape',
      'concat: expected shapes that differ only on axis 0, got [2, 3] and [2, 2]',
    ],
    [
      () => api.concat([f(2), f(2, 1)]),
      'shape',
      'concat: expected shapes that differ only on axis 0, got [2] and [2, 1]',
    ],
    [
      () => api.concat([f(2), i(2)]),
      'dtype',
      'concat: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)',
    ],
  ],
  slice: [
    [
      () => api.slice(f(2, 3), [0], [3]),
      'index',
      'slice: expected 0 ≤ start ≤ end ≤ extent on every axis of [2, 3], got starts [0] and ends [3]',
    ],
    [
      () => api.slice(f(2, 3), [1], [0]),
      'index',
      'slice: expected 0 ≤ start ≤ end ≤ extent on every axis of [2, 3], got starts [1] and ends [0]',
    ],
    [
      () => api.slice(f(2), [0, 0], [1, 1]),
      'shape',
      'slice: expected a start and an end for at most 1 axes, got [0, 0] and [1, 1]',
    ],
  ],
  pad: [
    [
      () => api.pad(f(2), [[1, -1]]),
      'shape',
      'pad: expected [before, after], whole and ≥ 0, for at most 1 axes, got [1, -1]',
    ],
  ],
  softmax: [
    [() => api.softmax(f()), 'shape', 'softmax: x must have at least 1 axes, got float32 []'],
    [() => api.softmax(f(2), 1), 'axis', 'softmax: axis must be in −1 … 0, got 1'],
    [() => api.softmax(i(2)), 'dtype', 'softmax: x must be float32, got int32 [2]'],
  ],
  logSoftmax: [[() => api.logSoftmax(i(2)), 'dtype', 'logSoftmax: x must be float32, got int32 [2]']],
  gather: [
    [
      () => api.gather(f(3, 2), rowIndex([0], 2)),
      'shape',
      'gather: index must point into 3 rows (x.shape[0]), got an index into 2; x is float32 [3, 2]',
    ],
    [() => api.gather(f(), rowIndex([], 0)), 'shape', 'gather: x must have at least 1 axes, got float32 []'],
  ],
  scatterAdd: [
    [
      () => api.scatterAdd(f(3, 2), rowIndex([1, 0], 4)),
      'shape',
      'scatterAdd: index must have length 3 (x.shape[0]), got 2 ids; x is float32 [3, 2]',
    ],
    [
      () => api.scatterAdd(i(2), rowIndex([1, 0], 4)),
      'dtype',
      'scatterAdd: x must be float32, got int32 [2]',
    ],
  ],
  gatherSum: [
    [
      () => api.gatherSum(f(2, 3), rowIndex([0], 2), rowIndex([0, 1], 2)),
      'shape',
      "gatherSum: expected one 'to' for each 'from', got 2 for 1",
    ],
    [
      () => api.gatherSum(f(2, 3), rowIndex([0], 4), rowIndex([0], 2)),
      'shape',
      'gatherSum: from must point into 2 rows (x.shape[0]), got an index into 4; x is float32 [2, 3]',
    ],
  ],
  segmentSum: [
    [
      () => api.segmentSum(f(3, 2), segments([0, 1], 2)),
      'shape',
      'segmentSum: segments must have length 3 (x.shape[0]), got 2 ids; x is float32 [3, 2]',
    ],
    [
      () => api.segmentSum(f(2, 2), rowIndex([1, 0], 2)),
      'index',
      'segmentSum: expected ids that never decrease, got 1 then 0 at 1 (scatterAdd takes any order; or sort the rows first)',
    ],
    [
      () => api.segmentSum(i(2), segments([0, 1], 2)),
      'dtype',
      'segmentSum: x must be float32, got int32 [2]',
    ],
  ],
  segmentMax: [
    [
      () => api.segmentMax(f(3, 2), segments([0], 1)),
      'shape',
      'segmentMax: segments must have length 3 (x.shape[0]), got 1 ids; x is float32 [3, 2]',
    ],
  ],
  segmentSoftmax: [
    [
      () => api.segmentSoftmax(f(2), rowIndex([1, 0], 2)),
      'index',
      'segmentSoftmax: expected ids that never decrease, got 1 then 0 at 1 (scatterAdd takes any order; or sort the rows first)',
    ],
  ],
  typedLinear: [
    [
      () => api.typedLinear(f(2, 3), f(1, 2, 2), rowIndex([0, 0], 1)),
      'shape',
      'typedLinear: weight must have shape [1, 3, ·], got float32 [1, 2, 2]',
    ],
    [
      () => api.typedLinear(f(2, 3), f(1, 3, 2), rowIndex([0], 1)),
      'shape',
      'typedLinear: types must have length 2 (x.shape[0]), got 1 ids; x is float32 [2, 3]',
    ],
    [
      () => api.typedLinear(f(1, 3), f(1, 3, 2), rowIndex([0], 1), f(2)),
      'shape',
      'typedLinear: bias must have shape [1, 2], got float32 [2]',
    ],
  ],
  typedOuter: [
    [
      () => api.typedOuter(f(2, 3), f(3, 3), rowIndex([0, 0], 1)),
      'shape',
      'typedOuter: b must have shape [2, ·], got float32 [3, 3]',
    ],
  ],
  linear: [
    [
      () => api.linear(f(2, 3), f(4, 5), f(5)),
      'shape',
      'linear: weight must have shape [3, ·], got float32 [4, 5]',
    ],
    [() => api.linear(f(2, 3), f(3, 5), f(4)), 'shape', 'linear: bias must have shape [5], got float32 [4]'],
  ],
  gatherPair: [
    [
      () => api.gatherPair(f(2, 3), rowIndex([0], 2), rowIndex([2], 3)),
      'shape',
      'gatherPair: index 1 must point into 2 rows (x.shape[0]), got an index into 3; x is float32 [2, 3]',
    ],
  ],
  gatherMul: [
    [
      () => api.gatherMul(f(2), f(3), { yRows: rowIndex([0, 1, 2], 3) }),
      'shape',
      'gatherMul: expected a row of y for each of x, got 3 for 2',
    ],
  ],
  attendedSum: [
    [
      () => api.attendedSum(f(2, 3), { ...messages(), weights: f(2), bias: f(3), into: rowIndex([0], 1) }),
      'shape',
      "attendedSum: expected one 'into' for each 'from', got 1 for 2",
    ],
    [
      () => api.attendedSum(f(2, 4), { ...messages(), weights: f(2, 2), bias: f(4) }),
      'shape',
      'attendedSum: bias must have shape [2], got float32 [4]',
    ],
  ],
  edgeDot: [
    [
      () => api.edgeDot(f(2, 3), f(2, 3), { ...edges(), weight: f(1, 6), bias: f(1) }),
      'shape',
      'edgeDot: weight must have shape [1, 9], got float32 [1, 6]',
    ],
    [
      () => api.edgeDot(f(2, 3), f(2, 2), { ...edges(), weight: f(1, 9), bias: f(1) }),
      'shape',
      'edgeDot: y must have shape [2, 3], got float32 [2, 2]',
    ],
    [
      () =>
        api.edgeDot(f(2, 3), f(2, 3), { ...edges(), types: rowIndex([0], 1), weight: f(1, 9), bias: f(1) }),
      'shape',
      'edgeDot: expected as many senders as receivers and types, got 2, 2 and 1',
    ],
  ],
  gruCell: [
    [
      () => api.gruCell(f(1, 3), f(1, 2), gru(f(4, 4))),
      'shape',
      'gruCell: gateWeight must have shape [5, 4], got float32 [4, 4]',
    ],
    [
      () => api.gruCell(f(2, 3), f(1, 2), gru(f(5, 4))),
      'shape',
      'gruCell: x must have shape [1, ·], got float32 [2, 3]',
    ],
    [() => api.gruCell([], f(1, 2), gru(f(5, 4))), 'shape', 'gruCell: expected at least one x, got none'],
  ],
  adamUpdate: [
    [
      () => api.adamUpdate(parameter(f(2)), f(3), moments(2), { step: 1, learningRate: 1 }),
      'shape',
      'adamUpdate: gradient must have shape [2], got float32 [3]',
    ],
    [
      () => api.adamUpdate(parameter(f(2)), f(2), moments(2), { step: 0, learningRate: 1 }),
      'option',
      'adamUpdate: step must be a whole number ≥ 1, got 0',
    ],
    [
      () => api.adamUpdate(f(2), f(2), moments(2), { step: 1, learningRate: 1 }),
      'option',
      'adamUpdate: parameter must be a parameter, got a constant tensor (make it with parameter())',
    ],
  ],
};
