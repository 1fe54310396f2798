/**
 * The tape: what has to be remembered of the forward pass to walk it backwards.
 *
 * While tapes are open, an op is recorded on each tape that tracks one of its inputs, and its outputs are
 * tracked from then on. Tapes nest: the backward pass of an inner tape is ordinary ops, recorded by outer
 * ones, and so gradients of gradients need nothing special.
 */
import type { Op } from '../core/op.ts';
import { showShape, TensorError } from '../core/errors.ts';
import type { Tensor } from '../core/tensor.ts';
import type { Scattered } from '../ops/scatter-all/scatter-add-all.op.ts';

/**
 * A gradient, or how to make it: functions are called only for inputs whose gradient is wanted. With one axis more in
 * front than its input, it is a stack of partial sums; rows with an index go where that says. Both are added up together
 * with all else that flows there.
 */
export type Gradient = Tensor | null | (() => Tensor | Scattered);

export interface BackwardContext<Attrs> {
  /** Gradient of the first output. */
  readonly dout: Tensor;
  /** Gradients of all outputs; null where nothing depends on one. */
  readonly douts: readonly (Tensor | null)[];
  /** The inputs; those the op does not save have a shape and no values. */
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  readonly attrs: Attrs;
  /** Whether the gradient of each input is wanted. */
  readonly needs: readonly boolean[];
}

/** What tapes need of an op. */
export type TapeOp = Pick<Op<string, unknown>, 'name' | 'saves' | 'backward' | 'apply'>;

/** A call of an op. */
export interface Call {
  readonly op: TapeOp;
  readonly attrs: unknown;
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
}

/** A call with what its gradient needs. */
interface Entry extends Call {
  readonly needs: readonly boolean[];
}

/** What is told of every call while it is open. */
export interface Recorder {
  add(call: Call): void;
}

let openRecorders: Recorder[] = [];
let paused = 0;

/** Whether a tape would record an op now: gradients are then to have gradients of their own. */
export function isRecording(): boolean {
  return paused === 0 && openRecorders.length > 0;
}

/** Runs `fn` without recording anything on any tape. */
export function noGrad<T>(fn: () => T): T {
  paused += 1;
  try {
    return fn();
  } finally {
    paused -= 1;
  }
}

/** Runs `fn` with one recorder in place of all that are open. */
export function recordInstead<T>(recorder: Recorder, fn: () => T): T {
  const others = openRecorders;
  openRecorders = [recorder];
  try {
    return fn();
  } finally {
    openRecorders = others;
  }
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
    openRecorders.push(this);
    try {
      return fn();
    } finally {
      openRecorders.splice(openRecorders.indexOf(this), 1);
    }
  }

  /** What gradients are taken with respect to: the given sources, or the parameters met. */
  get sources(): Iterable<Tensor> {
    return this.#sources.values();
  }

  tracks(tensor: Tensor): boolean {
    if (tensor.isParameter && this.#tracksParameters) this.#addSource(tensor);
    return this.#tracked.has(tensor.key);
  }

  add({ op, inputs, outputs, attrs }: Call): void {
    const needs = inputs.map((input) => this.tracks(input));
    if (!needs.includes(true)) return;
    const differentiable = outputs.filter((output) => output.dtype === 'float32');
    if (differentiable.length === 0) return;
    for (const output of differentiable) this.#tracked.add(output.key);
    const save = (tensors: readonly Tensor[], saved?: readonly number[]): Tensor[] =>
      tensors.map((tensor, i) => saveForBackward(op, tensor, !saved || saved.includes(i)));
    this.#entries.push({
      op,
      attrs,
      inputs: save(inputs, op.saves?.inputs),
      outputs: save(outputs, op.saves?.outputs),
      needs,
    });
  }

  /** The entries from last to first, each freed when the next is asked for, or when the walk ends early. */
  *backwards(): Generator<Entry> {
    for (let entry = this.#entries.pop(); entry; entry = this.#entries.pop()) {
      try {
        for (const tensor of [...entry.inputs, ...entry.outputs]) assertNotOverwritten(entry.op.name, tensor);
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

/** Tells what is open of a call; to be asked only while something records. */
export function recordCall(call: Call): void {
  for (const recorder of openRecorders) recorder.add(call);
}

/** A tape's own handle on a value: outlives the scope that made it; unsaved values keep only their shape. */
function saveForBackward(op: TapeOp, tensor: Tensor, withValues: boolean): Tensor {
  const saved = tensor.alias(op.name);
  saved.owner?.disown(saved);
  if (!withValues) saved.dispose(`not being in 'saves' of ${op.name}`);
  return saved;
}

function assertNotOverwritten(op: string, saved: Tensor): void {
  const writer = saved.disposed ? undefined : saved.overwrittenBy();
  if (writer === undefined) return;
  throw new TensorError(
    op,
    'gradient',
    `expected ${saved.dtype} ${showShape(saved.shape)}, saved for backward, to be unchanged, ` +
      `got it overwritten by ${writer} (update parameters after the gradient is taken)`,
  );
}

function free(entry: Entry): void {
  for (const tensor of [...entry.inputs, ...entry.outputs]) tensor.dispose();
}
