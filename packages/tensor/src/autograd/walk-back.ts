/** The backward pass: a tape walked from its last call to its first. */
import { TensorError } from '../core/errors.ts';
import { partialSums, scatteredRows } from '../core/gradient.ts';
import type { GradientTerm, ScatteredRows } from '../core/gradient.ts';
import { mapValues, tensorsOf } from '../core/operands.ts';
import { eachTensor, scope } from '../core/scope.ts';
import { Tensor } from '../core/tensor.ts';
import { checkGradients } from './gradient-contract.ts';
import type { FlowingGradient } from './gradient-contract.ts';
import type { Entry, Tape } from './tape.ts';

/** The arithmetic that a backward pass itself needs, whatever ops do it. */
export interface GradientArithmetic {
  zerosLike(x: Tensor): Tensor;
  /** The sum of all terms, which are gradients of `x`; there is at least one. It is a new tensor. */
  sum(x: Tensor, terms: readonly GradientTerm[]): Tensor;
}

/** The gradients of a tape's sources, given that of `value`. */
export function walkBack(
  tape: Tape,
  value: Tensor,
  dvalue: () => Tensor,
  arithmetic: GradientArithmetic,
): Map<Tensor, Tensor>;
/** The same, with those of `byRow` left as the rows that were read, where they were read in one gather alone. */
export function walkBack(
  tape: Tape,
  value: Tensor,
  dvalue: () => Tensor,
  arithmetic: GradientArithmetic,
  byRow: readonly Tensor[],
): Map<Tensor, Tensor | ScatteredRows>;
export function walkBack(
  tape: Tape,
  value: Tensor,
  dvalue: () => Tensor,
  arithmetic: GradientArithmetic,
  byRow: readonly Tensor[] = [],
): Map<Tensor, Tensor | ScatteredRows> {
  const pending = new PendingGradients(arithmetic);
  return scope(() => {
    if (tape.tracks(value)) pending.add(value, dvalue());
    for (const entry of tape.backwards()) {
      const { name, names } = entry.op;
      const dout: Record<string, Tensor | null | readonly (Tensor | null)[]> = {};
      for (const output of names.outputs) {
        const value = entry.values[output.name] as Tensor | readonly Tensor[];
        dout[output.name] = output.isList
          ? (value as readonly Tensor[]).map((one) => pending.total(one))
          : pending.total(value as Tensor);
      }
      const arrived = tensorsOf(names.outputs, dout).filter((gradient) => gradient !== null);
      if (arrived.length === 0) continue;
      const receivers: Tensor[] = [];
      const terms = scope(
        () =>
          gradientsOf(tape, entry, dout).map(({ operand, term }) => {
            receivers.push(operand);
            return aliasOf(term);
          }),
        `backward of ${name}`,
      );
      for (const gradient of arrived) gradient.dispose();
      terms.forEach((term, i) => {
        pending.add(receivers[i], term);
      });
    }
    const results = new Map<Tensor, Tensor | ScatteredRows>();
    for (const source of tape.sources) {
      const rows = byRow.includes(source) ? pending.rows(source) : undefined;
      results.set(source, rows ?? pending.total(source) ?? arithmetic.zerosLike(source));
    }
    return results;
  }, 'valueAndGrad');
}

/** Calls an op's rule, as far as its gradients are wanted. */
function gradientsOf(tape: Tape, entry: Entry, dout: object): FlowingGradient[] {
  const { op, values, attrs } = entry;
  if (!op.backward) {
    throw new TensorError(
      op.name,
      'gradient',
      'has no gradient (wrap its input in stopGradient, or use an op that has one)',
    );
  }
  const wanted = (operand: Tensor): boolean => tape.tracks(operand);
  const needs = mapValues(op.names.tensors, values, wanted, () => false);
  const given = op.backward(values as never, { dout, attrs, needs } as never);
  return checkGradients(entry, given, wanted);
}

/** What has flown to values so far, added up when all has. */
class PendingGradients {
  readonly #terms = new Map<number, GradientTerm[]>();
  readonly #arithmetic: GradientArithmetic;

  constructor(arithmetic: GradientArithmetic) {
    this.#arithmetic = arithmetic;
  }

  /** Takes over `term`. */
  add({ key }: Tensor, term: GradientTerm): void {
    const terms = this.#terms.get(key);
    if (terms) terms.push(term);
    else this.#terms.set(key, [term]);
  }

  /** All that has flown to `x`, if it came through one gather. */
  rows({ key }: Tensor): ScatteredRows | undefined {
    const [term, more] = this.#terms.get(key) ?? [];
    return more || term instanceof Tensor || term?.kind !== 'scatteredRows' ? undefined : term;
  }

  total(x: Tensor): Tensor | null {
    const terms = this.#terms.get(x.key);
    this.#terms.delete(x.key);
    if (!terms) return null;
    if (terms.length === 1 && terms[0] instanceof Tensor) return terms[0];
    const sum = this.#arithmetic.sum(x, terms);
    for (const term of terms) dispose(term);
    return sum;
  }
}

/** What outlives the scope that a gradient was made in. */
function aliasOf(term: GradientTerm): GradientTerm {
  const user = 'valueAndGrad';
  if (term instanceof Tensor) return term.alias(user);
  if (term.kind === 'partialSums') return partialSums(term.stack.alias(user));
  return scatteredRows(term.rows.alias(user), term.index.alias(user));
}

function dispose(term: GradientTerm): void {
  eachTensor(term, (value) => {
    value.dispose();
  });
}
