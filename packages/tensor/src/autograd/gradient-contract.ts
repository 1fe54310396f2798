/** What a backward rule gives is held to what it was asked for: a gradient for every tensor of its op, of its shape. */
import type { TensorSpec } from '../core/dtype.ts';
import { showShape, TensorError } from '../core/errors.ts';
import type { Gradient, GradientTerm, GradientTerms } from '../core/gradient.ts';
import { sameShape } from '../core/shape.ts';
import { Tensor } from '../core/tensor.ts';
import type { Entry } from './tape.ts';

/** A gradient and what it is the gradient of. */
export interface FlowingGradient {
  readonly operand: Tensor;
  readonly term: GradientTerm;
}

/** The gradients that an op's rule gave, as far as they are `wanted`, checked. */
export function checkGradients(
  { op: { name: op, names }, values }: Entry,
  given: object,
  wanted: (operand: Tensor) => boolean,
): FlowingGradient[] {
  const gradients = given as Readonly<Record<string, Gradient | readonly Gradient[] | undefined>>;
  const odd = Object.keys(gradients).find((key) => !names.tensors.some(({ name }) => name === key));
  if (odd !== undefined) {
    const known = names.tensors.map(({ name }) => name).join(', ');
    fail(op, `backward gives a gradient to '${odd}', expected names among {${known}}`);
  }
  const flowing: FlowingGradient[] = [];
  const collect = (name: string, operand: Tensor, rule: Gradient): void => {
    if (rule === null || !wanted(operand)) return;
    const made = typeof rule === 'function' ? rule() : rule;
    if (made === null) return;
    for (const term of isTerms(made) ? made.terms : [made]) {
      checkTerm(op, name, operand, term);
      flowing.push({ operand, term });
    }
  };
  for (const { name, isList } of names.tensors) {
    const operand = values[name] as Tensor | readonly Tensor[] | undefined;
    if (operand === undefined) continue;
    const gradient = gradients[name];
    if (gradient === undefined) {
      const shapes = isList ? (operand as readonly Tensor[]).map(show).join(', ') : show(operand as Tensor);
      fail(op, `backward must give ${name} (${shapes}) a gradient, or null, got none`);
    }
    if (!isList) {
      collect(name, operand as Tensor, gradient as Gradient);
      continue;
    }
    const [all, list] = [operand as readonly Tensor[], gradient as readonly Gradient[]];
    if (list.length !== all.length) {
      fail(op, `backward must give ${name} ${all.length} gradients, one for each, got ${list.length}`);
    }
    all.forEach((one, i) => {
      collect(`${name}[${i}]`, one, list[i]);
    });
  }
  return flowing;
}

function isTerms(made: GradientTerm | GradientTerms): made is GradientTerms {
  // What a rule without types gives may be anything.
  return (made as { readonly kind?: string } | undefined)?.kind === 'terms';
}

function checkTerm(op: string, name: string, operand: Tensor, term: GradientTerm): void {
  const { shape } = operand;
  const expected = `backward must give ${name} a gradient of float32 ${showShape(shape)}`;
  if (term instanceof Tensor) {
    if (term.dtype === 'float32' && sameShape(term.shape, shape)) return;
    const isStack = sameShape(term.shape.slice(1), shape);
    fail(
      op,
      `${expected}, got ${show(term)}${isStack ? ' (partial sums are given as partialSums(stack))' : ''}`,
    );
  }
  if (typeof term !== 'object') return fail(op, `${expected}, got ${typeof term}`);
  switch (term.kind) {
    case 'partialSums': {
      const { stack } = term;
      const fits = stack.rank === shape.length + 1 && sameShape(stack.shape.slice(1), shape);
      if (stack.dtype === 'float32' && fits) return;
      return fail(op, `${expected}, got partial sums of ${show(stack)}`);
    }
    case 'scatteredRows': {
      const { rows, index } = term;
      const fits = shape.length > 0 && sameShape(rows.shape, shape.with(0, index.length));
      if (rows.dtype === 'float32' && fits && index.rows === shape[0]) return;
      return fail(
        op,
        `${expected}, got rows of ${show(rows)} for ${index.length} ids into ${index.rows} rows`,
      );
    }
    default:
      return fail(
        op,
        `${expected}, got an object that is neither a tensor nor made by partialSums or scatteredRows`,
      );
  }
}

const show = ({ dtype, shape }: TensorSpec): string => `${dtype} ${showShape(shape)}`;

function fail(op: string, message: string): never {
  throw new TensorError(op, 'gradient', message);
}
