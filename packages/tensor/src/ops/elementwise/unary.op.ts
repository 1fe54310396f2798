/**
 * Elementwise functions of one tensor: a table of small records, y = f(x), with dx from dout, x and y, and a table of
 * the scalar functions f that every backend's kernel is held to.
 */
import { TensorError } from '../../core/errors.ts';
import { expectDType } from '../../core/expect.ts';
import { defineOp } from '../../core/op.ts';
import type { AttrsOf, NoAttrs, Op, PlainAttrs, ReferenceOf } from '../../core/op.ts';
import type { Tensor } from '../../core/tensor.ts';
import { where } from '../where/where.op.ts';
import { div, greater, greaterEqual, less, lessEqual, mul, sub, tanhGrad } from './binary.op.ts';

type GradientRule<Attrs> = (context: { dout: Tensor; x: Tensor; y: Tensor; attrs: Attrs }) => Tensor;

const operandKinds = { x: 'tensor' } as const;
const outputKinds = { y: 'tensor' } as const;
export type UnaryOp<Name extends string = string, Attrs = NoAttrs> = Op<
  Name,
  typeof operandKinds,
  typeof outputKinds,
  Attrs
>;

function unary<const Name extends string, Attrs extends PlainAttrs<Attrs> = NoAttrs>(
  name: Name,
  saves: 'x' | 'y' | 'nothing',
  gradient: GradientRule<Attrs>,
): UnaryOp<Name, Attrs> {
  return defineOp({
    name,
    operands: operandKinds,
    outputs: outputKinds,
    infer: ({ x }, _attrs: Attrs) => {
      expectDType(name, 'x', x, 'float32');
      return { y: x };
    },
    reference: 'beside',
    saves: saves === 'nothing' ? [] : [saves],
    backward: (values, { dout, attrs }) => {
      // Which of x and y is saved is known to the rule alone.
      const { x, y } = values as { x: Tensor; y: Tensor };
      return { x: () => gradient({ dout: dout.y, x, y, attrs }) };
    },
  });
}

export interface LeakyReluAttrs {
  readonly slope: number;
}

export interface ClampAttrs {
  readonly min: number;
  readonly max: number;
}

const sign = (x: Tensor): Tensor => where(greater(x, 0), 1, where(less(x, 0), -1, 0));

export const unaryOps = {
  neg: unary('neg', 'nothing', ({ dout }) => neg(dout)),
  exp: unary('exp', 'y', ({ dout, y }) => mul(dout, y)),
  log: unary('log', 'x', ({ dout, x }) => div(dout, x)),
  sqrt: unary('sqrt', 'y', ({ dout, y }) => div(mul(dout, 0.5), y)),
  square: unary('square', 'x', ({ dout, x }) => mul(dout, mul(x, 2))),
  abs: unary('abs', 'x', ({ dout, x }) => mul(dout, sign(x))),
  reciprocal: unary('reciprocal', 'y', ({ dout, y }) => neg(mul(dout, square(y)))),
  tanh: unary('tanh', 'y', ({ dout, y }) => tanhGrad(dout, y)),
  sigmoid: unary('sigmoid', 'y', ({ dout, y }) => mul(dout, mul(y, sub(1, y)))),
  relu: unary('relu', 'x', ({ dout, x }) => where(greater(x, 0), dout, 0)),
  leakyRelu: unary<'leakyRelu', LeakyReluAttrs>('leakyRelu', 'x', ({ dout, x, attrs }) =>
    where(less(x, 0), mul(dout, attrs.slope), dout),
  ),
  softplus: unary('softplus', 'x', ({ dout, x }) => mul(dout, sigmoid(x))),
  clamp: unary<'clamp', ClampAttrs>('clamp', 'x', ({ dout, x, attrs }) =>
    where(greaterEqual(x, attrs.min), where(lessEqual(x, attrs.max), dout, 0), 0),
  ),
};

/** 1 / (1 + e^−x), without overflow for large −x. */
function logistic(x: number): number {
  const e = Math.exp(-Math.abs(x));
  return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

/** NaN stays NaN, unlike with Math.max alone in some orders of arguments. */
function clip(x: number, { min, max }: ClampAttrs): number {
  return x < min ? min : x > max ? max : x;
}

type Scalars = {
  readonly [Name in keyof typeof unaryOps]: (x: number, attrs: AttrsOf<(typeof unaryOps)[Name]>) => number;
};

const scalars: Scalars = {
  neg: (x) => -x,
  exp: Math.exp,
  log: Math.log,
  sqrt: Math.sqrt,
  square: (x) => x * x,
  abs: Math.abs,
  reciprocal: (x) => 1 / x,
  tanh: Math.tanh,
  sigmoid: logistic,
  relu: (x) => (x < 0 ? 0 : x),
  leakyRelu: (x, { slope }) => (x < 0 ? slope * x : x),
  // log(1 + e^x) = max(x, 0) + log(1 + e^−|x|)
  softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  clamp: clip,
};

type References = { readonly [Name in keyof Scalars]: ReferenceOf<(typeof unaryOps)[Name]> };

type AnyScalar = (x: number, attrs: never) => number;

function elementByElement(functions: Readonly<Record<string, AnyScalar>>): References {
  const loops =
    (f: AnyScalar): ReferenceOf<UnaryOp> =>
    ({ x }, { y }, attrs) => {
      for (let i = 0; i < x.data.length; i++) y.data[i] = f(x.data[i], attrs as never);
    };
  const entries = Object.entries(functions).map(([name, f]) => [name, loops(f)] as const);
  return Object.fromEntries(entries) as unknown as References;
}

// Pure, so that a bundle without the reference backend leaves it out.
export const unaryReferences = /* @__PURE__ */ elementByElement(scalars);

const noAttrs: NoAttrs = {};

const plain =
  (op: UnaryOp) =>
  (x: Tensor): Tensor =>
    op.apply({ x }, noAttrs).y;

/**
 * −x.
 *
 * @example
 * neg(tensor([1, -2])); // [-1, 2]
 */
export const neg = plain(unaryOps.neg);
/**
 * e to the power of x.
 *
 * @example
 * exp(tensor([0, 1])); // [1, 2.7183]
 */
export const exp = plain(unaryOps.exp);
/**
 * Natural logarithm.
 *
 * @example
 * log(tensor([1, 2])); // [0, 0.6931]
 */
export const log = plain(unaryOps.log);
/**
 * √x; NaN below 0.
 *
 * @example
 * sqrt(tensor([4, 9])); // [2, 3]
 */
export const sqrt = plain(unaryOps.sqrt);
/**
 * x².
 *
 * @example
 * square(tensor([-3, 2])); // [9, 4]
 */
export const square = plain(unaryOps.square);
/**
 * |x|.
 *
 * @example
 * abs(tensor([-2, 3])); // [2, 3]
 */
export const abs = plain(unaryOps.abs);
/**
 * 1 / x.
 *
 * @example
 * reciprocal(tensor([2, 4])); // [0.5, 0.25]
 */
export const reciprocal = plain(unaryOps.reciprocal);
/**
 * The hyperbolic tangent of x, between −1 and 1.
 *
 * @example
 * tanh(tensor([0, 1])); // [0, 0.7616]
 */
export const tanh = plain(unaryOps.tanh);
/**
 * 1 / (1 + e⁻ˣ).
 *
 * @example
 * sigmoid(tensor([0])); // [0.5]
 */
export const sigmoid = plain(unaryOps.sigmoid);
/**
 * max(x, 0).
 *
 * @example
 * relu(tensor([-1, 2])); // [0, 2]
 */
export const relu = plain(unaryOps.relu);
/**
 * log(1 + e^x), without overflow.
 *
 * @example
 * softplus(tensor([0])); // [0.6931]
 */
export const softplus = plain(unaryOps.softplus);

/**
 * x where x ≥ 0, slope·x elsewhere.
 *
 * @example
 * leakyRelu(tensor([-1, 2]), 0.1); // [-0.1, 2]
 */
export function leakyRelu(x: Tensor, slope = 0.01): Tensor {
  return unaryOps.leakyRelu.apply({ x }, { slope }).y;
}

/**
 * x cut to min … max.
 *
 * @example
 * clamp(tensor([-2, 0.5, 2]), 0, 1); // [0, 0.5, 1]
 */
export function clamp(x: Tensor, min: number, max: number): Tensor {
  if (!(min <= max)) throw new TensorError('clamp', 'option', `expected min ≤ max, got ${min} and ${max}`);
  return unaryOps.clamp.apply({ x }, { min, max }).y;
}
