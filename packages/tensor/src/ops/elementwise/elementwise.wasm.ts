/** Launchers of the elementwise functions. */
import { lineWalk, rowWalk } from '../../backends/wasm/strides.ts';
import type { RowWalk } from '../../backends/wasm/strides.ts';
import { wholeUnits } from '../../backends/wasm/wasm-kernel.ts';
import type { WasmKernel, WasmKernelTable, WasmTensor } from '../../backends/wasm/wasm-kernel.ts';
import { broadcastStrides, sameShape } from '../../core/shape.ts';
import type { BinaryOp } from './binary.op.ts';
import type { UnaryOp } from './unary.op.ts';

type Unary =
  'neg' | 'exp' | 'log' | 'sqrt' | 'square' | 'abs' | 'reciprocal' | 'tanh' | 'sigmoid' | 'relu' | 'softplus';
type FloatOnly = 'div' | 'pow' | 'tanhGrad';
type FloatOrInt = 'add' | 'sub' | 'mul' | 'maximum' | 'minimum' | Comparison;
type Comparison = 'equal' | 'notEqual' | 'less' | 'lessEqual' | 'greater' | 'greaterEqual';

/** `cost`: vector operations for a unit of 16 values. */
const unary =
  (kernel: Unary, cost: number): WasmKernel<UnaryOp> =>
  ({ x }, { y }, device) => {
    const units = wholeUnits(y);
    device.launch(kernel, units, units * cost, { x: x.buffer.pointer, y: y.buffer.pointer });
  };

/** How the operands are walked through to fill `y` row by row. */
export function broadcastWalk(y: WasmTensor, operands: readonly WasmTensor[]): RowWalk {
  if (operands.every(({ shape }) => sameShape(shape, y.shape))) {
    return lineWalk(
      y.buffer.length,
      operands.map(() => 1),
    );
  }
  return rowWalk(
    y.shape,
    operands.map(({ shape }) => broadcastStrides(shape, y.shape)),
  );
}

const binary =
  (floats: FloatOnly | FloatOrInt, ints: `${FloatOrInt}Int` | undefined, cost = 4): WasmKernel<BinaryOp> =>
  ({ a, b }, { y }, device) => {
    const { rows, n, total, steps, axes, table } = broadcastWalk(y, [a, b]);
    const kernel = ints === undefined || a.dtype === 'float32' ? floats : ints;
    device.launch(kernel, rows, (total * cost) / 4, {
      a: a.buffer.pointer,
      b: b.buffer.pointer,
      y: y.buffer.pointer,
      total,
      n,
      stepA: steps[0],
      stepB: steps[1],
      axes,
      table: device.table(table),
    });
  };

export const elementwiseWasm = {
  neg: unary('neg', 16),
  exp: unary('exp', 80),
  log: unary('log', 120),
  sqrt: unary('sqrt', 32),
  square: unary('square', 16),
  abs: unary('abs', 16),
  reciprocal: unary('reciprocal', 32),
  tanh: unary('tanh', 100),
  sigmoid: unary('sigmoid', 100),
  relu: unary('relu', 16),
  softplus: unary('softplus', 200),
  leakyRelu: ({ x }, { y }, device, { slope }) => {
    const units = wholeUnits(y);
    device.launch('leakyRelu', units, units * 16, { x: x.buffer.pointer, y: y.buffer.pointer, slope });
  },
  clamp: ({ x }, { y }, device, { min, max }) => {
    const units = wholeUnits(y);
    const [from, to] = [x.buffer.pointer, y.buffer.pointer];
    device.launch('clamp', units, units * 16, { x: from, y: to, low: min, high: max });
  },
  add: binary('add', 'addInt'),
  sub: binary('sub', 'subInt'),
  mul: binary('mul', 'mulInt'),
  div: binary('div', undefined),
  maximum: binary('maximum', 'maximumInt'),
  minimum: binary('minimum', 'minimumInt'),
  pow: binary('pow', undefined, 80),
  tanhGrad: binary('tanhGrad', undefined),
  equal: binary('equal', 'equalInt'),
  notEqual: binary('notEqual', 'notEqualInt'),
  less: binary('less', 'lessInt'),
  lessEqual: binary('lessEqual', 'lessEqualInt'),
  greater: binary('greater', 'greaterInt'),
  greaterEqual: binary('greaterEqual', 'greaterEqualInt'),
} satisfies Partial<WasmKernelTable>;
