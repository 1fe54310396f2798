/**
 * Elementwise functions of two tensors with NumPy broadcasting: a table of small records, y = f(a, b), and one of the
 * scalar functions f. Gradients are written for the broadcast shape; `sumTo` brings them back to each operand's own.
 */
import type { DType } from '../../core/dtype.ts';
import { expectDType, expectSameDType } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { NoAttrs, Op, ReferenceOf } from '../../core/op.ts';
import { broadcastShapes } from '../../core/shape.ts';
import { Tensor } from '../../core/tensor.ts';
import { operands } from '../fill/fill.op.ts';
import { sumTo } from '../reduce/sum.op.ts';
import { where } from '../where/where.op.ts';
import { forEachBroadcast } from './broadcast.reference.ts';
import { log, neg } from './unary.op.ts';

interface Context {
  readonly dout: Tensor;
  readonly a: Tensor;
  readonly b: Tensor;
  readonly y: Tensor;
}

interface Differential {
  readonly da: (context: Context) => Tensor;
  readonly db: (context: Context) => Tensor;
  readonly saves: readonly ('a' | 'b' | 'y')[];
}

const operandKinds = { a: 'tensor', b: 'tensor' } as const;
const outputKinds = { y: 'tensor' } as const;
export type BinaryOp<Name extends string = string> = Op<
  Name,
  typeof operandKinds,
  typeof outputKinds,
  NoAttrs
>;

const numbers: readonly DType[] = ['float32', 'int32'];
const floats: readonly DType[] = ['float32'];

function arithmetic<const Name extends string>(
  name: Name,
  dtypes: readonly DType[],
  { da, db, saves }: Differential,
): BinaryOp<Name> {
  return defineOp({
    ...broadcasting(name, dtypes, undefined),
    saves,
    backward: ({ a, b, y }, { dout: { y: dout } }) => ({
      a: () => sumTo(da({ dout, a, b, y }), a.shape),
      b: () => sumTo(db({ dout, a, b, y }), b.shape),
    }),
  });
}

function comparison<const Name extends string>(name: Name): BinaryOp<Name> {
  return defineOp(broadcasting(name, ['float32', 'int32', 'bool'], 'bool'));
}

function broadcasting<const Name extends string>(
  name: Name,
  dtypes: readonly DType[],
  result: DType | undefined,
): Pick<BinaryOp<Name>, 'name' | 'operands' | 'outputs' | 'infer' | 'reference'> {
  return {
    name,
    operands: operandKinds,
    outputs: outputKinds,
    infer: ({ a, b }) => {
      expectDType(name, 'a', a, ...dtypes);
      expectSameDType(name, a, b);
      return { y: { dtype: result ?? a.dtype, shape: broadcastShapes(name, a.shape, b.shape) } };
    },
    reference: 'beside',
  };
}

export const binaryOps = {
  add: arithmetic('add', numbers, {
    da: ({ dout }) => dout,
    db: ({ dout }) => dout,
    saves: [],
  }),
  sub: arithmetic('sub', numbers, {
    da: ({ dout }) => dout,
    db: ({ dout }) => neg(dout),
    saves: [],
  }),
  mul: arithmetic('mul', numbers, {
    da: ({ dout, b }) => mul(dout, b),
    db: ({ dout, a }) => mul(dout, a),
    saves: ['a', 'b'],
  }),
  div: arithmetic('div', floats, {
    da: ({ dout, b }) => div(dout, b),
    db: ({ dout, b, y }) => neg(div(mul(dout, y), b)),
    saves: ['b', 'y'],
  }),
  // The gradient of tanh, of dout and y = tanh x: dout·(1 − y²).
  tanhGrad: arithmetic('tanhGrad', floats, {
    da: ({ dout, b }) => tanhGrad(dout, b),
    db: ({ dout, a, b }) => mul(mul(dout, a), mul(b, -2)),
    saves: ['a', 'b'],
  }),
  // Where both are equal, the gradient goes to the first.
  maximum: arithmetic('maximum', numbers, {
    da: ({ dout, a, b }) => where(greaterEqual(a, b), dout, 0),
    db: ({ dout, a, b }) => where(greaterEqual(a, b), 0, dout),
    saves: ['a', 'b'],
  }),
  minimum: arithmetic('minimum', numbers, {
    da: ({ dout, a, b }) => where(lessEqual(a, b), dout, 0),
    db: ({ dout, a, b }) => where(lessEqual(a, b), 0, dout),
    saves: ['a', 'b'],
  }),
  // d a^b = b·a^(b−1) da + a^b·log a db; the guards keep 0·∞ out where the limit is 0.
  pow: arithmetic('pow', floats, {
    da: ({ dout, a, b }) => where(equal(b, 0), 0, mul(dout, mul(b, pow(a, sub(b, 1))))),
    db: ({ dout, a, y }) => where(equal(a, 0), 0, mul(dout, mul(y, log(where(equal(a, 0), 1, a))))),
    saves: ['a', 'b', 'y'],
  }),
  equal: comparison('equal'),
  notEqual: comparison('notEqual'),
  less: comparison('less'),
  lessEqual: comparison('lessEqual'),
  greater: comparison('greater'),
  greaterEqual: comparison('greaterEqual'),
};

type Scalar = (a: number, b: number) => number;

const scalars: { readonly [Name in keyof typeof binaryOps]: Scalar } = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  tanhGrad: (dout, y) => dout * (1 - y * y),
  maximum: Math.max,
  minimum: Math.min,
  pow: Math.pow,
  equal: (a, b) => Number(a === b),
  notEqual: (a, b) => Number(a !== b),
  less: (a, b) => Number(a < b),
  lessEqual: (a, b) => Number(a <= b),
  greater: (a, b) => Number(a > b),
  greaterEqual: (a, b) => Number(a >= b),
};

type References = { readonly [Name in keyof typeof binaryOps]: ReferenceOf<BinaryOp> };

function broadcast(functions: Readonly<Record<string, Scalar>>): References {
  const loops =
    (f: Scalar): ReferenceOf<BinaryOp> =>
    ({ a, b }, { y }) => {
      const value = a.dtype === 'int32' && f === functions['mul'] ? Math.imul : f;
      forEachBroadcast(y.shape, [a.shape, b.shape], (i, [atA, atB]) => {
        y.data[i] = value(a.data[atA], b.data[atB]);
      });
    };
  const entries = Object.entries(functions).map(([name, f]) => [name, loops(f)] as const);
  return Object.fromEntries(entries) as References;
}

// Pure, so that a bundle without the reference backend leaves it out.
export const binaryReferences = /* @__PURE__ */ broadcast(scalars);

/** A number stands for a scalar of the other operand's dtype. */
type Operand = Tensor | number;

const noAttrs: NoAttrs = {};

const plain =
  (op: BinaryOp) =>
  (left: Operand, right: Operand): Tensor => {
    // Two tensors are the common case, and as cheap as they can be.
    if (left instanceof Tensor && right instanceof Tensor) return op.apply({ a: left, b: right }, noAttrs).y;
    const [a, b] = operands(op.name, left, right);
    return op.apply({ a, b }, noAttrs).y;
  };

/**
 * a + b, broadcast.
 *
 * @example
 * add(tensor([1, 2]), 10); // [11, 12]
 */
export const add = plain(binaryOps.add);
/**
 * a − b, broadcast.
 *
 * @example
 * sub(tensor([1, 2]), tensor([3, 3])); // [-2, -1]
 */
export const sub = plain(binaryOps.sub);
/**
 * a·b, element by element, broadcast.
 *
 * @example
 * mul(tensor([[1], [2]]), tensor([3, 4])); // [[3, 4], [6, 8]]
 */
export const mul = plain(binaryOps.mul);
/**
 * a / b, broadcast.
 *
 * @example
 * div(1, tensor([2, 4])); // [0.5, 0.25]
 */
export const div = plain(binaryOps.div);
export const tanhGrad = plain(binaryOps.tanhGrad);
/**
 * The larger of a and b, broadcast; where they are equal, each has half of the gradient.
 *
 * @example
 * maximum(tensor([-1, 2]), 0); // [0, 2]
 */
export const maximum = plain(binaryOps.maximum);
/**
 * The smaller of a and b, broadcast; where they are equal, each has half of the gradient.
 *
 * @example
 * minimum(tensor([-1, 2]), 0); // [-1, 0]
 */
export const minimum = plain(binaryOps.minimum);
/**
 * a to the power of b, broadcast.
 *
 * @example
 * pow(tensor([1, 2, 3]), 2); // [1, 4, 9]
 */
export const pow = plain(binaryOps.pow);
/**
 * Whether a = b, broadcast: a bool tensor of 0 and 1.
 *
 * @example
 * equal(tensor([1, 2]), 2); // [0, 1]
 */
export const equal = plain(binaryOps.equal);
/**
 * Whether a ≠ b, broadcast: a bool tensor of 0 and 1.
 *
 * @example
 * notEqual(tensor([1, 2]), 2); // [1, 0]
 */
export const notEqual = plain(binaryOps.notEqual);
/**
 * Whether a < b, broadcast: a bool tensor of 0 and 1.
 *
 * @example
 * less(tensor([1, 2]), 2); // [1, 0]
 */
export const less = plain(binaryOps.less);
/**
 * Whether a ≤ b, broadcast: a bool tensor of 0 and 1.
 *
 * @example
 * lessEqual(tensor([1, 2, 3]), 2); // [1, 1, 0]
 */
export const lessEqual = plain(binaryOps.lessEqual);
/**
 * Whether a > b, broadcast: a bool tensor of 0 and 1.
 *
 * @example
 * greater(tensor([1, 2, 3]), 2); // [0, 0, 1]
 */
export const greater = plain(binaryOps.greater);
/**
 * Whether a ≥ b, broadcast: a bool tensor of 0 and 1.
 *
 * @example
 * greaterEqual(tensor([1, 2, 3]), 2); // [0, 1, 1]
 */
export const greaterEqual = plain(binaryOps.greaterEqual);
