/** checkNumerics: finds the op that first made a NaN or an infinity. */
import { showShape, showSpec, TensorError } from '../core/errors.ts';
import { observeOps } from '../core/observe.ts';
import type { OpEvent } from '../core/observe.ts';
import { stridesOf } from '../core/shape.ts';

/**
 * Runs `fn` and raises if an op inside produced NaN or ±Infinity, naming the first one, its inputs' shapes and
 * the first bad index. Reads every result back: for finding a mistake, not for training.
 *
 * @example
 * const total = await checkNumerics(() => sum(ones([3]))); // 3
 */
export async function checkNumerics<T>(fn: () => T | Promise<T>): Promise<T> {
  const checks: Promise<string | undefined>[] = [];
  const stop = observeOps((event) => {
    checks.push(firstProblem(event));
  });
  let result: T;
  try {
    result = await fn();
  } finally {
    stop();
  }
  for (const problem of await Promise.all(checks)) {
    if (problem !== undefined) throw new TensorError('checkNumerics', 'numeric', problem);
  }
  return result;
}

async function firstProblem({ op, inputs, indices, outputs }: OpEvent): Promise<string | undefined> {
  const rows = indices.map((index) => `${index.length} ids into ${index.rows} rows`);
  const call = `${op}(${[...inputs.map(showSpec), ...rows].join(', ')})`;
  const written = outputs.filter((output) => output.dtype === 'float32');
  const values = await Promise.all(written.map((output) => output.data()));
  for (const [which, data] of values.entries()) {
    const flat = data.findIndex((value) => !Number.isFinite(value));
    if (flat < 0) continue;
    const { shape } = written[which];
    const index = stridesOf(shape).map((stride, axis) => Math.floor(flat / stride) % shape[axis]);
    return `expected finite values, got ${data[flat]} at ${showShape(index)} of ${call} → ${showShape(shape)}`;
  }
  return undefined;
}
