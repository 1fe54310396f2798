/** Gradients of scalar functions, and the words that steer them. */
import { allocateTensor } from '../core/op.ts';
import { showShape, TensorError } from '../core/errors.ts';
import { scope } from '../core/scope.ts';
import { sameShape } from '../core/shape.ts';
import type { Shape } from '../core/shape.ts';
import type { Tensor } from '../core/tensor.ts';
import { addAll, isStackOf } from '../ops/add-all/add-all.op.ts';
import { scatterAdd } from '../ops/gather/gather.op.ts';
import { scatterAddAll } from '../ops/scatter-all/scatter-add-all.op.ts';
import type { Scattered } from '../ops/scatter-all/scatter-add-all.op.ts';
import { onesLike, zerosLike } from '../ops/fill/fill.op.ts';
import { Tape } from './tape.ts';
import type { BackwardContext, TapeOp } from './tape.ts';

/** A value and its gradients, by the tensor each belongs to. */
export interface ValueAndGrads {
  readonly value: Tensor;
  readonly grads: ReadonlyMap<Tensor, Tensor>;
}

/** A tensor that training changes: a copy of `initial` that gradients are taken for. */
export function parameter(initial: Tensor): Tensor {
  checkFloat('parameter', initial);
  const { backend, buffer } = initial.storageFor('parameter');
  const result = allocateTensor(backend, initial, true, 'parameter');
  backend.copy(buffer, result.storageFor('parameter').buffer);
  return result;
}

/** The same values as a constant: no gradient flows through. */
export function stopGradient(x: Tensor): Tensor {
  return x.view('stopGradient', x.shape);
}

/**
 * The scalar that `fn` computes and its gradient for every parameter it used, or for each of `sources`
 * (zeros for those it does not depend on).
 */
export function valueAndGrad(fn: () => Tensor, sources?: readonly Tensor[]): ValueAndGrads {
  for (const source of sources ?? []) checkFloat('valueAndGrad', source);
  const tape = new Tape(sources);
  try {
    const value = tape.record(fn);
    checkScalar(value);
    const grads = walkBack(tape, value, () => onesLike(value));
    return { value, grads };
  } finally {
    tape.dispose();
  }
}

/** The gradients of the scalar that `fn` computes, in the order of `sources`. */
export function grad(fn: () => Tensor, sources: readonly Tensor[]): Tensor[] {
  const { grads } = valueAndGrad(fn, sources);
  return sources.map((source) => grads.get(source)!);
}

/** The gradients of a tape's sources, given that of `value`. */
export function walkBack(tape: Tape, value: Tensor, dvalue: () => Tensor): Map<Tensor, Tensor> {
  /** What has flown to a value so far, added up when all has. */
  const pending = new Map<number, Term[]>();
  /** Takes over `term`. */
  const collect = (key: number, term: Term): void => {
    const terms = pending.get(key);
    if (terms) terms.push(term);
    else pending.set(key, [term]);
  };
  const total = ({ key, shape }: Tensor): Tensor | null => {
    const terms = pending.get(key);
    pending.delete(key);
    if (!terms) return null;
    const whole = terms.filter((term): term is Tensor => !isScattered(term));
    const parts = terms.filter(isScattered);
    const base = parts.length === 0 || whole.length > 0 ? sumOf(whole, shape) : undefined;
    if (base && parts.length === 0) return base;
    const sum =
      parts.length > 1 || base ? scatterAddAll(parts, base) : scatterAdd(parts[0].rows, parts[0].index);
    for (const used of [...parts.map(({ rows }) => rows), ...(base ? [base] : [])]) used.dispose();
    return sum;
  };
  return scope(() => {
    if (tape.tracks(value)) collect(value.key, dvalue());
    for (const { op, attrs, inputs, outputs, needs } of tape.backwards()) {
      const douts = outputs.map(total);
      if (!douts.some((dout) => dout !== null)) continue;
      // `dout` is null only for ops of several outputs, whose rules read `douts`.
      const context: BackwardContext<unknown> = { dout: douts[0]!, douts, inputs, outputs, attrs, needs };
      const gradients = scope(
        () => gradientsOf(op, context).map((gradient) => gradient && aliasOf(gradient)),
        `backward of ${op.name}`,
      );
      for (const dout of douts) dout?.dispose();
      gradients.forEach((gradient, i) => {
        if (gradient) collect(inputs[i].key, gradient);
      });
    }
    const results = new Map<Tensor, Tensor>();
    for (const source of tape.sources) {
      results.set(source, total(source) ?? zerosLike(source));
    }
    return results;
  }, 'valueAndGrad');
}

/** A gradient, or rows of one and where they go. */
type Term = Tensor | Scattered;

function isScattered(term: Term): term is Scattered {
  return 'index' in term;
}

/** What outlives the scope that a gradient was made in. */
function aliasOf(term: Term): Term {
  const alias = (x: Tensor): Tensor => x.alias('valueAndGrad');
  return isScattered(term) ? { rows: alias(term.rows), index: term.index } : alias(term);
}

/** Takes over `terms`, each of `shape` or a stack of it. */
function sumOf(terms: readonly Tensor[], shape: Shape): Tensor {
  if (terms.length === 1 && sameShape(terms[0].shape, shape)) return terms[0];
  const sum = addAll(terms, shape);
  for (const term of terms) term.dispose();
  return sum;
}

/** Calls what is needed of an op's rule and checks what it made. */
function gradientsOf(op: TapeOp, context: BackwardContext<unknown>): (Term | null)[] {
  const { inputs, needs } = context;
  const made = op.backward?.(context);
  if (!made) {
    throw new TensorError(
      op.name,
      'gradient',
      'has no gradient (wrap its input in stopGradient, or use an op that has one)',
    );
  }
  return inputs.map((input, i) => {
    const rule = made[i];
    if (!needs[i] || !rule) return null;
    const gradient = typeof rule === 'function' ? rule() : rule;
    if (isScattered(gradient)) return gradient;
    if (!sameShape(gradient.shape, input.shape) && !isStackOf(input.shape, gradient.shape)) {
      throw new TensorError(
        op.name,
        'gradient',
        `backward must give input ${i} a gradient of shape ${showShape(input.shape)}, ` +
          `got ${showShape(gradient.shape)}`,
      );
    }
    return gradient;
  });
}

function checkFloat(op: string, tensor: Tensor): void {
  if (tensor.dtype === 'float32') return;
  throw new TensorError(
    op,
    'dtype',
    `expected a float32 tensor to differentiate by, got ${tensor.dtype} ${showShape(tensor.shape)}`,
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
      `expected the function to return one float32 value, got ${tensor.dtype} ${showShape(tensor.shape)} ` +
        '(sum or mean it)',
    );
  }
}
