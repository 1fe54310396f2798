/** traceOps: what a step is made of. */
import { showShape } from '../core/errors.ts';
import { formatTable } from '../core/format.ts';
import { observeOps } from '../core/observe.ts';
import type { Tensor } from '../core/tensor.ts';

/** One kind of call: an op on inputs of certain shapes. */
export interface TracedOp {
  readonly op: string;
  readonly inputs: string;
  readonly outputs: string;
  readonly count: number;
}

/** What `traceOps` saw: the result of the function, and the ops that made it. */
export interface Trace<T> {
  readonly result: T;
  /** Every kind of call in the order it first came. */
  readonly ops: readonly TracedOp[];
  /** The list as a table. */
  toString(): string;
}

/**
 * Runs `fn` and lists the ops it ran, the backward pass included, with their counts and shapes.
 *
 * @example
 * const x = ones([3]);
 * const { ops } = traceOps(() => square(x));
 * ops[0].op; // "square"
 */
export function traceOps<T>(fn: () => T): Trace<T> {
  const counts = new Map<string, { op: string; inputs: string; outputs: string; count: number }>();
  const stop = observeOps(({ op, inputs, indices, outputs }) => {
    const rows = indices.map((index) => `rows[${index.length}→${index.rows}]`);
    const given = [...describe(inputs), ...rows].join(' ');
    const call = { op, inputs: given, outputs: describe(outputs).join(' '), count: 0 };
    const key = `${op} ${call.inputs} ${call.outputs}`;
    if (!counts.has(key)) counts.set(key, call);
    counts.get(key)!.count += 1;
  });
  let result: T;
  try {
    result = fn();
  } finally {
    stop();
  }
  const ops = [...counts.values()];
  return { result, ops, toString: () => tableOf(ops) };
}

function describe(tensors: readonly Tensor[]): string[] {
  return tensors.map(({ dtype, shape }) => `${dtype === 'float32' ? '' : dtype}${showShape(shape)}`);
}

function tableOf(ops: readonly TracedOp[]): string {
  const rows = ops.map(({ count, op, inputs, outputs }) => [String(count), op, inputs, outputs]);
  return formatTable([['count', 'op', 'inputs', 'outputs'], ...rows], (column) => column === 0);
}
