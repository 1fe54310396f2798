/** What a backward rule gives is held to what it was asked for: a gradient for every tensor of its op, of its shape. */
import { showShape, showSpec, TensorError } from '../core/errors.ts';
import type { Gradient, GradientTerm, GradientTerms, PartialSums, ScatteredRows } from '../core/gradient.ts';
import { sameShape } from '../core/shape.ts';
import type { Shape } from '../core/shape.ts';
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
      const shapes = isList
        ? (operand as readonly Tensor[]).map(showSpec).join(', ')
        : showSpec(operand as Tensor);
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

function checkTerm(op: string, name: string, { shape }: Tensor, term: GradientTerm): void {
  if (fits(term, shape)) return;
  fail(
    op,
    `backward must give ${name} a gradient of float32 ${showShape(shape)}, got ${describe(term, shape)}`,
  );
}

function fits(term: GradientTerm, shape: Shape): boolean {
  if (term instanceof Tensor) return term.dtype === 'float32' && sameShape(term.shape, shape);
  // What a rule without types gives may be anything.
  switch ((term as { readonly kind?: string } | undefined)?.kind) {
    case 'partialSums': {
      const { stack } = term as PartialSums;
      return stack.dtype === 'float32' && stack.rank > 0 && sameShape(stack.shape.slice(1), shape);
    }
    case 'scatteredRows': {
      const { rows, index } = term as ScatteredRows;
      const isWhole = shape.length > 0 && index.rows === shape[0] && rows.dtype === 'float32';
      return isWhole && sameShape(rows.shape, shape.with(0, index.length));
    }
    default:
      return false;
  }
}

/** What was given instead. */
function describe(term: GradientTerm, shape: Shape): string {
  if (term instanceof Tensor) {
    const isStack = term.rank > 0 && sameShape(term.shape.slice(1), shape);
    return `${showSpec(term)}${isStack ? ' (partial sums are given as partialSums(stack))' : ''}`;
  }
  if (typeof term !== 'object') return typeof term;
  if (term.kind === 'partialSums') return `partial sums of ${showSpec(term.stack)}`;
  if (term.kind !== 'scatteredRows')
    return 'an object that is neither a tensor nor partialSums or scatteredRows';
  return `rows of ${showSpec(term.rows)} for ${term.index.length} ids into ${term.index.rows} rows`;
}

function fail(op: string, message: string): never {
  throw new TensorError(op, 'gradient', message);
}
