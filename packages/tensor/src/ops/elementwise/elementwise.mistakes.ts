import { calledByBackwardOf, floats, ints } from '../../testing/mistake.ts';
import type { Mistake, Mistakes } from '../../testing/mistake.ts';
import * as binary from './binary.op.ts';
import * as unary from './unary.op.ts';

const ofUnary = (
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
): Mistake[] => [[() => unary[name](ints(2)), 'dtype', `${name}: x must be float32, got int32 [2]`]];

const arithmetic = (name: 'add' | 'sub' | 'mul' | 'maximum' | 'minimum' | 'div' | 'pow'): Mistake[] => [
  [
    () => binary[name](floats(2, 3), floats(2)),
    'shape',
    `${name}: expected shapes that broadcast, got [2, 3] and [2] (axis −1: 3 against 2)`,
  ],
  ...(name === 'div' || name === 'pow'
    ? [[() => binary[name](ints(2), ints(2)), 'dtype', `${name}: a must be float32, got int32 [2]`] as const]
    : [
        [
          () => binary[name](floats(2), ints(2)),
          'dtype',
          `${name}: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)`,
        ] as const,
        [
          () => binary[name](ints(2), 0.5),
          'dtype',
          `${name}: expected a whole number beside a tensor of int32, got 0.5`,
        ] as const,
      ]),
];

const comparison = (
  name: 'equal' | 'notEqual' | 'less' | 'lessEqual' | 'greater' | 'greaterEqual',
): Mistake[] => [
  [
    () => binary[name](floats(2), ints(2)),
    'dtype',
    `${name}: expected operands of one dtype, got float32 [2] and int32 [2] (cast one of them)`,
  ],
  [
    () => binary[name](floats(4, 1), floats(3, 2)),
    'shape',
    `${name}: expected shapes that broadcast, got [4, 1] and [3, 2] (axis −2: 4 against 3)`,
  ],
];

export const elementwiseMistakes = {
  neg: ofUnary('neg'),
  exp: ofUnary('exp'),
  log: ofUnary('log'),
  sqrt: ofUnary('sqrt'),
  square: ofUnary('square'),
  abs: ofUnary('abs'),
  reciprocal: ofUnary('reciprocal'),
  tanh: ofUnary('tanh'),
  sigmoid: ofUnary('sigmoid'),
  relu: ofUnary('relu'),
  softplus: ofUnary('softplus'),
  leakyRelu: [[() => unary.leakyRelu(ints(2)), 'dtype', 'leakyRelu: x must be float32, got int32 [2]']],
  clamp: [
    [() => unary.clamp(ints(2), 0, 1), 'dtype', 'clamp: x must be float32, got int32 [2]'],
    [() => unary.clamp(floats(2), 1, 0), 'option', 'clamp: expected min ≤ max, got 1 and 0'],
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
  tanhGrad: calledByBackwardOf('tanh'),
} satisfies Record<string, Mistakes>;
