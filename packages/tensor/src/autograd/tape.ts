/**
 * The tape: what has to be remembered of the forward pass to walk it backwards.
 *
 * While tapes are open, an op is recorded on each tape that tracks one of its operands, and its outputs are
 * tracked from then on. Tapes nest: the backward pass of an inner tape is ordinary ops, recorded by outer
 * ones, and so gradients of gradients need nothing special.
 */
import { showSpec, TensorError } from '../core/errors.ts';
import type { AnyOp } from '../core/op.ts';
import { rowsOf, tensorsOf } from '../core/operands.ts';
import type { AnyValues, Named } from '../core/operands.ts';
import { recordAlso } from '../core/recording.ts';
import type { RecordedCall, Recorder } from '../core/recording.ts';
import type { RowIndex } from '../core/row-index.ts';
import type { Tensor } from '../core/tensor.ts';

/** A call with what its gradient needs: operands and outputs by name, all of them the tape's own. */
export interface Entry {
  readonly op: AnyOp;
  readonly values: AnyValues<Tensor, RowIndex>;
  readonly attrs: unknown;
}

export class Tape implements Recorder {
  readonly #entries: Entry[] = [];
  readonly #tracked = new Set<number>();
  readonly #sources = new Map<number, Tensor>();
  readonly #tracksParameters: boolean;

  /** Tracks `sources`, or every parameter that is used if there are none given. */
  constructor(sources: readonly Tensor[] | undefined) {
    this.#tracksParameters = sources === undefined;
    for (const source of sources ?? []) this.#addSource(source);
  }

  /** Records what `fn` does. */
  record<T>(fn: () => T): T {
    return recordAlso(this, fn);
  }

  /** What gradients are taken with respect to: the given sources, or the parameters met. */
  get sources(): Iterable<Tensor> {
    return this.#sources.values();
  }

  tracks(tensor: Tensor): boolean {
    if (tensor.isParameter && this.#tracksParameters) this.#addSource(tensor);
    return this.#tracked.has(tensor.key);
  }

  add({ op, operands, outputs, attrs }: RecordedCall): void {
    const { names } = op;
    let isTracked = false;
    for (const operand of tensorsOf(names.tensors, operands)) {
      // Every operand is asked: that is how parameters are met.
      if (this.tracks(operand)) isTracked = true;
    }
    if (!isTracked) return;
    let isDifferentiable = false;
    for (const { dtype, key } of tensorsOf(names.outputs, outputs)) {
      if (dtype !== 'float32') continue;
      isDifferentiable = true;
      this.#tracked.add(key);
    }
    if (isDifferentiable) this.#entries.push({ op, attrs, values: saveForBackward(op, operands, outputs) });
  }

  /** The entries from last to first, each freed when the next is asked for, or when the walk ends early. */
  *backwards(): Generator<Entry> {
    for (let entry = this.#entries.pop(); entry; entry = this.#entries.pop()) {
      try {
        for (const tensor of tensorsOf(entry.op.names.all, entry.values)) {
          assertNotOverwritten(entry.op.name, tensor);
        }
        yield entry;
      } finally {
        free(entry);
      }
    }
  }

  /** Frees what is still saved. */
  dispose(): void {
    this.#entries.forEach(free);
    this.#entries.length = 0;
  }

  #addSource(tensor: Tensor): void {
    this.#tracked.add(tensor.key);
    if (!this.#sources.has(tensor.key)) this.#sources.set(tensor.key, tensor.origin);
  }
}

/**
 * A tape's own handles on values and indices: they outlive the scope that made them. Of what the op does not save, only
 * the shape is left.
 */
function saveForBackward(
  { name: op, names: { operands: taken, outputs: given, saves } }: AnyOp,
  operands: AnyValues<Tensor, RowIndex>,
  outputs: AnyValues<Tensor, never>,
): AnyValues<Tensor, RowIndex> {
  const values: Record<string, AnyValues<Tensor, RowIndex>[string]> = {};
  const save = <T extends Tensor | RowIndex>(value: T, name: string): T => {
    const saved = unowned(value, op);
    if (saves && !saves.has(name)) saved.dispose(`not being in 'saves' of ${op}`);
    return saved;
  };
  const saveAll = (names: readonly Named[], from: AnyValues<Tensor, RowIndex>): void => {
    for (const { name, isList } of names) {
      const value = from[name];
      if (value === undefined) values[name] = undefined;
      else if (isList) values[name] = (value as readonly Tensor[]).map((item) => save(item, name));
      else values[name] = save(value as Tensor, name);
    }
  };
  saveAll(taken, operands);
  saveAll(given, outputs);
  return values;
}

/** An alias that no scope will free: whoever holds it does. */
export function unowned<T extends Tensor | RowIndex>(value: T, user: string): T {
  const alias = value.alias(user) as T;
  alias.owner?.disown(alias);
  return alias;
}

/** Raises if the memory of a value saved for `op` holds another by now. */
export function assertNotOverwritten(op: string, saved: Tensor): void {
  const writer = saved.disposed ? undefined : saved.overwrittenBy();
  if (writer === undefined) return;
  throw new TensorError(
    op,
    'gradient',
    `expected ${showSpec(saved)}, saved for backward, to be unchanged, ` +
      `got it overwritten by ${writer} (update parameters after the gradient is taken)`,
  );
}

function free({ op: { names }, values }: Entry): void {
  for (const tensor of tensorsOf(names.all, values)) tensor.dispose();
  for (const index of rowsOf(names.operands, values)) index.dispose();
}
