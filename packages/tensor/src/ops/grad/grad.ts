/** Gradients of scalar functions, and the words that steer them. */
import { Tape } from '../../autograd/tape.ts';
import { walkBack } from '../../autograd/walk-back.ts';
import { allocateTensor } from '../../core/apply.ts';
import { rejectUnknownOptions, showSpec, TensorError } from '../../core/errors.ts';
import type { ScatteredRows } from '../../core/gradient.ts';
import type { Tensor } from '../../core/tensor.ts';
import { onesLike } from '../fill/fill.op.ts';
import { arithmetic } from './arithmetic.ts';

/** A value and its gradients, by the tensor each belongs to. */
export interface ValueAndGrads {
  readonly value: Tensor;
  readonly grads: ReadonlyMap<Tensor, Tensor>;
}

/**
 * A tensor that training changes: a copy of `initial` that gradients are taken for.
 *
 * @example
 * const w = parameter(tensor([3]));
 * const { grads } = valueAndGrad(() => sum(square(w)));
 * grads.get(w); // [6]
 */
export function parameter(initial: Tensor): Tensor {
  checkFloat('parameter', initial);
  const { backend, buffer } = initial.storageFor('parameter');
  const result = allocateTensor(backend, initial, true, 'parameter');
  backend.copy(buffer, result.storageFor('parameter').buffer);
  return result;
}

/**
 * The same values as a constant: no gradient flows through.
 *
 * @example
 * const x = tensor([3]);
 * const [slope] = grad(() => sum(mul(x, stopGradient(x))), [x]);
 * slope; // [3]
 */
export function stopGradient(x: Tensor): Tensor {
  return x.view('stopGradient', x.shape);
}

/** The same, where gradients of tables are the rows that were read. */
export interface ValueAndRowGrads {
  readonly value: Tensor;
  readonly grads: ReadonlyMap<Tensor, Tensor | ScatteredRows>;
}

/**
 * The scalar that `fn` computes and its gradient for every parameter it used, or for each of `sources`
 * (zeros for those it does not depend on). Of the parameters in `byRow`, tables of which `fn` reads some rows in one
 * `gather`, the gradient is these rows and their index, and nothing of the table's size is made.
 *
 * @example
 * const w = parameter(tensor([3]));
 * const { value, grads } = valueAndGrad(() => sum(square(w)));
 * value; // 9
 * grads.get(w); // [6]
 */
export function valueAndGrad(fn: () => Tensor, sources?: readonly Tensor[]): ValueAndGrads;
export function valueAndGrad(
  fn: () => Tensor,
  options: { readonly byRow: readonly Tensor[] },
): ValueAndRowGrads;
export function valueAndGrad(
  fn: () => Tensor,
  given?: readonly Tensor[] | { readonly byRow: readonly Tensor[] },
): ValueAndRowGrads {
  const isByRow = given !== undefined && 'byRow' in given;
  if (isByRow) rejectUnknownOptions('valueAndGrad', given, ['byRow']);
  const [sources, byRow] = isByRow ? [undefined, given.byRow] : [given, []];
  for (const source of sources ?? byRow) checkFloat('valueAndGrad', source);
  const tape = new Tape(sources);
  try {
    const value = tape.record(fn);
    checkScalar(value);
    const grads = walkBack(tape, value, () => onesLike(value), arithmetic, byRow);
    return { value, grads };
  } finally {
    tape.dispose();
  }
}

/**
 * The gradients of the scalar that `fn` computes, in the order of `sources`.
 *
 * @example
 * const x = tensor([1, 2]);
 * const [slope] = grad(() => sum(square(x)), [x]); // of sum x²
 * slope; // [2, 4]
 */
export function grad(fn: () => Tensor, sources: readonly Tensor[]): Tensor[] {
  const { grads } = valueAndGrad(fn, sources);
  return sources.map((source) => grads.get(source)!);
}

function checkFloat(op: string, tensor: Tensor): void {
  if (tensor.dtype === 'float32') return;
  throw new TensorError(
    op,
    'dtype',
    `expected a float32 tensor to differentiate by, got ${showSpec(tensor)}`,
  );
}

function checkScalar(value: unknown): asserts value is Tensor {
  if (value instanceof Promise) {
    throw new TensorError(
      'valueAndGrad',
      'option',
      'expected a synchronous function, got one that returns a promise',
    );
  }
  const tensor = value as Tensor;
  if (tensor.size !== 1 || tensor.dtype !== 'float32') {
    throw new TensorError(
      'valueAndGrad',
      'shape',
      `expected the function to return one float32 value, got ${showSpec(tensor)} ` + '(sum or mean it)',
    );
  }
}
