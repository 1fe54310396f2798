/**
 * Elementwise functions of two tensors with NumPy broadcasting: a table of small records, y = f(a, b).
 * Gradients are written for the broadcast shape; `sumTo` brings them back to each operand's own.
 */
import type { DType } from '../../core/dtype.ts';
import { expectDType, expectSameDType } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { NoAttrs, Op } from '../../core/op.ts';
import { broadcastShapes } from '../../core/shape.ts';
import type { Tensor } from '../../core/tensor.ts';
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
  readonly saves: { readonly inputs: readonly number[]; readonly outputs: readonly number[] };
}

type Scalar = (a: number, b: number) => number;

const numbers: readonly DType[] = ['float32', 'int32'];
const floats: readonly DType[] = ['float32'];
const nothing = { inputs: [], outputs: [] };
const operandsOnly = { inputs: [0, 1], outputs: [] };

function arithmetic<const Name extends string>(
  name: Name,
  dtypes: readonly DType[],
  f: Scalar,
  { da, db, saves }: Differential,
): Op<Name, NoAttrs> {
  return defineOp({
    ...broadcasting(name, dtypes, undefined, f),
    saves,
    backward: ({ dout, inputs: [a, b], outputs: [y] }) => [
      () => sumTo(da({ dout, a, b, y }), a.shape),
      () => sumTo(db({ dout, a, b, y }), b.shape),
    ],
  });
}

function comparison<const Name extends string>(
  name: Name,
  holds: (a: number, b: number) => boolean,
): Op<Name, NoAttrs> {
  return defineOp(broadcasting(name, ['float32', 'int32', 'bool'], 'bool', (a, b) => (holds(a, b) ? 1 : 0)));
}

function broadcasting<const Name extends string>(
  name: Name,
  dtypes: readonly DType[],
  result: DType | undefined,
  f: Scalar,
): Pick<Op<Name, NoAttrs>, 'name' | 'infer' | 'reference'> {
  return {
    name,
    infer: ([a, b]) => {
      expectDType(name, 'a', a, ...dtypes);
      expectSameDType(name, a, b);
      return [{ dtype: result ?? a.dtype, shape: broadcastShapes(name, a.shape, b.shape) }];
    },
    reference: ({ inputs: [a, b], outputs: [y] }) => {
      const value = a.dtype === 'int32' && f === times ? Math.imul : f;
      forEachBroadcast(y.shape, [a.shape, b.shape], (i, [atA, atB]) => {
        y.data[i] = value(a.data[atA], b.data[atB]);
      });
    },
  };
}

const times: Scalar = (a, b) => a * b;

export const binaryOps = {
  add: arithmetic('add', numbers, (a, b) => a + b, {
    da: ({ dout }) => dout,
    db: ({ dout }) => dout,
    saves: nothing,
  }),
  sub: arithmetic('sub', numbers, (a, b) => a - b, {
    da: ({ dout }) => dout,
    db: ({ dout }) => neg(dout),
    saves: nothing,
  }),
  mul: arithmetic('mul', numbers, times, {
    da: ({ dout, b }) => mul(dout, b),
    db: ({ dout, a }) => mul(dout, a),
    saves: operandsOnly,
  }),
  div: arithmetic('div', floats, (a, b) => a / b, {
    da: ({ dout, b }) => div(dout, b),
    db: ({ dout, b, y }) => neg(div(mul(dout, y), b)),
    saves: { inputs: [1], outputs: [0] },
  }),
  // The gradient of tanh, of dout and y = tanh x: dout·(1 − y²).
  tanhGrad: arithmetic('tanhGrad', floats, (dout, y) => dout * (1 - y * y), {
    da: ({ dout, b }) => tanhGrad(dout, b),
    db: ({ dout, a, b }) => mul(mul(dout, a), mul(b, -2)),
    saves: operandsOnly,
  }),
  // Where both are equal, the gradient goes to the first.
  maximum: arithmetic('maximum', numbers, Math.max, {
    da: ({ dout, a, b }) => where(greaterEqual(a, b), dout, 0),
    db: ({ dout, a, b }) => where(greaterEqual(a, b), 0, dout),
    saves: operandsOnly,
  }),
  minimum: arithmetic('minimum', numbers, Math.min, {
    da: ({ dout, a, b }) => where(lessEqual(a, b), dout, 0),
    db: ({ dout, a, b }) => where(lessEqual(a, b), 0, dout),
    saves: operandsOnly,
  }),
  // d a^b = b·a^(b−1) da + a^b·log a db; the guards keep 0·∞ out where the limit is 0.
  pow: arithmetic('pow', floats, Math.pow, {
    da: ({ dout, a, b }) => where(equal(b, 0), 0, mul(dout, mul(b, pow(a, sub(b, 1))))),
    db: ({ dout, a, y }) => where(equal(a, 0), 0, mul(dout, mul(y, log(where(equal(a, 0), 1, a))))),
    saves: { inputs: [0, 1], outputs: [0] },
  }),
  equal: comparison('equal', (a, b) => a === b),
  notEqual: comparison('notEqual', (a, b) => a !== b),
  less: comparison('less', (a, b) => a < b),
  lessEqual: comparison('lessEqual', (a, b) => a <= b),
  greater: comparison('greater', (a, b) => a > b),
  greaterEqual: comparison('greaterEqual', (a, b) => a >= b),
};

/** A number stands for a scalar of the other operand's dtype. */
type Operand = Tensor | number;

const plain =
  (op: Op<string, NoAttrs>) =>
  (a: Operand, b: Operand): Tensor =>
    op.apply(operands(op.name, a, b), {})[0];

export const add = plain(binaryOps.add);
export const sub = plain(binaryOps.sub);
export const mul = plain(binaryOps.mul);
export const div = plain(binaryOps.div);
export const tanhGrad = plain(binaryOps.tanhGrad);
export const maximum = plain(binaryOps.maximum);
export const minimum = plain(binaryOps.minimum);
export const pow = plain(binaryOps.pow);
export const equal = plain(binaryOps.equal);
export const notEqual = plain(binaryOps.notEqual);
export const less = plain(binaryOps.less);
export const lessEqual = plain(binaryOps.lessEqual);
export const greater = plain(binaryOps.greater);
export const greaterEqual = plain(binaryOps.greaterEqual);
