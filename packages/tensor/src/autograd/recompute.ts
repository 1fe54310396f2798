/** recompute: what a function computes on the way is not kept for the backward pass, but computed again there. */
import type { Backend } from '../core/backend.ts';
import { TensorError } from '../core/errors.ts';
import type { BackwardContext } from '../core/gradient.ts';
import { namesOfAll } from '../core/op.ts';
import type { AnyOp } from '../core/op.ts';
import { mapValues, rowsOf, tensorsOf } from '../core/operands.ts';
import type { AnyValues } from '../core/operands.ts';
import { isRecording, recordCall, recordInstead } from '../core/recording.ts';
import type { RecordedCall, Recorder } from '../core/recording.ts';
import type { RowIndex } from '../core/row-index.ts';
import { scope } from '../core/scope.ts';
import type { Tensor } from '../core/tensor.ts';
import { assertNotOverwritten, Tape, unowned } from './tape.ts';
import { walkBack } from './walk-back.ts';
import type { GradientArithmetic } from './walk-back.ts';

/** Calls in order, values and indices named by their keys. */
interface Program {
  readonly calls: readonly {
    readonly op: AnyOp;
    readonly attrs: unknown;
    readonly operands: AnyValues<number, number>;
    readonly outputs: AnyValues<number, never>;
    readonly backend: Backend;
  }[];
  readonly result: number;
}

/** What a program reads. */
interface Read {
  readonly tensors: readonly Tensor[];
  readonly indices: readonly RowIndex[];
}

type Context = BackwardContext<{ tensors: 'tensor[]'; indices: 'rows[]' }, { result: 'tensor' }, Program>;

type Recompute = (fn: () => Tensor) => Tensor;

/** recompute, with whatever ops add up its gradients. */
export function makeRecompute(arithmetic: GradientArithmetic): Recompute {
  const recompute: Recompute = (fn) => {
    if (!isRecording()) return fn();
    const recording = new Recording();
    try {
      return scope(() => {
        const result = recordInstead(recording, fn);
        if ((result as unknown) instanceof Promise) {
          throw new TensorError(
            'recompute',
            'option',
            'expected a synchronous function, got one that returns a promise',
          );
        }
        if (recording.made.has(result.key)) {
          for (const tensor of recording.tensors.values()) assertNotOverwritten('recompute', tensor);
          const attrs: Program = { calls: recording.calls, result: result.key };
          const operands = {
            tensors: [...recording.tensors.values()],
            indices: [...recording.indices.values()],
          };
          recordCall({ op: recomputeOp, attrs, operands, outputs: { result } });
        }
        return result;
      }, 'recompute');
    } finally {
      recording.dispose();
    }
  };
  const recomputeOp = opOf(recompute, arithmetic);
  return recompute;
}

/** The calls of a program as one, which only tapes see. */
function opOf(recompute: Recompute, arithmetic: GradientArithmetic): AnyOp {
  const backward = (read: Read, { dout, attrs, needs }: Context): object => {
    const { tensors } = read;
    const tape = new Tape(tensors.filter((_, i) => needs.tensors[i]));
    try {
      const result = tape.record(() => scope(() => replay(attrs, read), 'recompute'));
      const gradients = walkBack(tape, result, () => dout.result.alias('recompute'), arithmetic);
      return { tensors: tensors.map(({ origin }) => gradients.get(origin) ?? null) };
    } finally {
      tape.dispose();
    }
  };
  return {
    name: 'recompute',
    infer: () => ({}),
    reference: () => undefined,
    kernels: undefined,
    names: {
      ...namesOfAll({ tensors: 'tensor[]', indices: 'rows[]' }, { result: 'tensor' }),
      saves: new Set(['tensors', 'indices']),
      viewOf: undefined,
      mutates: undefined,
    },
    backward,
    apply: (read: Read, program: Program) => ({ result: recompute(() => replay(program, read)) }),
  };
}

class Recording implements Recorder {
  readonly calls: Program['calls'][number][] = [];
  readonly made = new Set<number>();
  /** What was not made here, by key: aliases, since a scope inside of the function may free it before a tape has it. */
  readonly tensors = new Map<number, Tensor>();
  readonly indices = new Map<number, RowIndex>();

  add({ op, attrs, operands, outputs }: RecordedCall): void {
    const { names } = op;
    for (const operand of tensorsOf(names.operands, operands)) {
      if (!this.made.has(operand.key)) hold(this.tensors, operand);
    }
    for (const index of rowsOf(names.operands, operands)) hold(this.indices, index);
    for (const output of tensorsOf(names.outputs, outputs)) this.made.add(output.key);
    const [{ backend }] = tensorsOf(names.outputs, outputs);
    const keyOf = ({ key }: Tensor | RowIndex): number => key;
    this.calls.push({
      op,
      attrs,
      operands: mapValues(names.operands, operands, keyOf, keyOf),
      outputs: mapValues(names.outputs, outputs, keyOf, keyOf) as AnyValues<number, never>,
      backend,
    });
  }

  dispose(): void {
    for (const held of [...this.tensors.values(), ...this.indices.values()]) held.dispose();
  }
}

function hold<T extends Tensor | RowIndex>(held: Map<number, T>, value: T): void {
  if (!held.has(value.key)) held.set(value.key, unowned(value, 'recompute'));
}

/** Runs the calls again on aliases of what they read. */
function replay({ calls, result }: Program, { tensors, indices }: Read): Tensor {
  const values = new Map(tensors.map((tensor) => [tensor.key, tensor]));
  const rows = new Map(indices.map((index) => [index.key, index]));
  for (const { op, attrs, operands, outputs, backend } of calls) {
    const given = mapValues(
      op.names.operands,
      operands,
      (key) => values.get(key)!,
      (key) => rows.get(key)!,
    );
    const made = tensorsOf(op.names.outputs, op.apply(given as never, attrs as never, backend));
    const keys = tensorsOf(op.names.outputs, outputs);
    keys.forEach((key, i) => values.set(key, made[i]));
  }
  return values.get(result)!;
}
