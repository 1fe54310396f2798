/** recompute: what a function computes on the way is not kept for the backward pass, but computed again there. */
import type { Backend } from '../core/backend.ts';
import { TensorError } from '../core/errors.ts';
import { scope } from '../core/scope.ts';
import type { Tensor } from '../core/tensor.ts';
import { walkBack } from './grad.ts';
import { isRecording, recordCall, recordInstead, Tape } from './tape.ts';
import type { BackwardContext, Call, Recorder, TapeOp } from './tape.ts';

/** Calls in order, values named by their keys. */
interface Program {
  readonly calls: readonly {
    readonly op: TapeOp;
    readonly attrs: unknown;
    readonly inputs: readonly number[];
    readonly outputs: readonly number[];
    readonly backend: Backend;
  }[];
  readonly result: number;
}

/**
 * The tensor that `fn` computes. Gradients flow through as ever, to all that `fn` reads; but the tape keeps only what
 * `fn` read and not what it made, and runs the same ops once more in the backward pass. Less memory for more time.
 */
export function recompute(fn: () => Tensor): Tensor {
  if (!isRecording()) return fn();
  return scope(() => {
    const recording = new Recording();
    const result = recordInstead(recording, fn);
    if ((result as unknown) instanceof Promise) {
      throw new TensorError(
        'recompute',
        'option',
        'expected a synchronous function, got one that returns a promise',
      );
    }
    if (recording.made.has(result.key)) {
      const attrs: Program = { calls: recording.calls, result: result.key };
      recordCall({ op: recomputeOp, attrs, inputs: [...recording.read.values()], outputs: [result] });
    }
    return result;
  }, 'recompute');
}

class Recording implements Recorder {
  readonly calls: Program['calls'][number][] = [];
  readonly made = new Set<number>();
  /** What was not made here, by key. */
  readonly read = new Map<number, Tensor>();

  add({ op, attrs, inputs, outputs }: Call): void {
    for (const input of inputs) if (!this.made.has(input.key)) this.read.set(input.key, input);
    for (const output of outputs) this.made.add(output.key);
    const keys = (tensors: readonly Tensor[]): number[] => tensors.map(({ key }) => key);
    const { backend } = outputs[0];
    this.calls.push({ op, attrs, inputs: keys(inputs), outputs: keys(outputs), backend });
  }
}

const recomputeOp: TapeOp = {
  name: 'recompute',
  saves: { outputs: [] },
  apply: (inputs, program) => [recompute(() => replay(program as Program, inputs))],
  backward: ({ dout, inputs, attrs, needs }: BackwardContext<unknown>) => {
    const tape = new Tape(inputs.filter((_, i) => needs[i]));
    try {
      const result = tape.record(() => scope(() => replay(attrs as Program, inputs), 'recompute'));
      const gradients = walkBack(tape, result, () => dout.alias('recompute'));
      return inputs.map(({ origin }) => gradients.get(origin) ?? null);
    } finally {
      tape.dispose();
    }
  },
};

/** Runs the calls again on aliases of what they read. */
function replay({ calls, result }: Program, inputs: readonly Tensor[]): Tensor {
  const values = new Map(inputs.map((input) => [input.key, input]));
  for (const { op, attrs, inputs: read, outputs, backend } of calls) {
    const given = read.map((key) => values.get(key)!);
    const made = op.apply(given, attrs, backend);
    outputs.forEach((key, i) => values.set(key, made[i]));
  }
  return values.get(result)!;
}
