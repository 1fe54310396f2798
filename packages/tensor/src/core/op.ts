/**
 * Ops: what they are, and how one runs. An op knows its shape rule, its gradient and its reference;
 * backends hold a kernel for each op of the registry, and a user's own op brings its kernels along.
 */
import { isRecording, recordCall } from '../autograd/tape.ts';
import type { BackwardContext, Gradient } from '../autograd/tape.ts';
import { currentBackend } from './backend.ts';
import type { Backend, KernelCall } from './backend.ts';
import type { NdArray, TensorSpec } from './dtype.ts';
import { rejectUnknownOptions, showShape, TensorError } from './errors.ts';
import { notifyObservers } from './observe.ts';
import { sizeOf } from './shape.ts';
import { Storage } from './storage.ts';
import { Tensor } from './tensor.ts';

/** For ops that take nothing but tensors. */
export type NoAttrs = Readonly<Record<never, never>>;

export interface OpDefinition<Name extends string, Attrs> {
  readonly name: Name;
  /** Checks the inputs (raising TensorError) and says what comes out. */
  infer(inputs: readonly TensorSpec[], attrs: Attrs): readonly TensorSpec[];
  /** Plain loops that define the op. Outputs arrive allocated, contents undefined. */
  reference(call: KernelCall<NdArray, Attrs>): void;
  /**
   * One gradient per input: a tensor, a function that makes it (called only if needed), or null.
   * Written with ops, it can be differentiated again. Absent: the op has no gradient.
   */
  backward?(context: BackwardContext<Attrs>): readonly Gradient[];
  /** Which inputs and outputs `backward` reads the values of; all of them unless said. */
  readonly saves?: { readonly inputs?: readonly number[]; readonly outputs?: readonly number[] };
  /** The output is the first input's memory under another shape: nothing runs. */
  readonly isView?: boolean;
  /** Inputs that the kernel overwrites in place. Such an op is never recorded. */
  readonly mutates?: readonly number[];
  /** Kernels by backend name, for ops outside the registry; their form is the backend's. */
  readonly kernels?: Readonly<Record<string, unknown>>;
}

export interface Op<Name extends string, Attrs> extends OpDefinition<Name, Attrs> {
  /** Runs the op and returns its outputs. `backend` is that of the inputs, or the current one if there are none. */
  apply(inputs: readonly Tensor[], attrs: Attrs, backend?: Backend): Tensor[];
}

/** The attributes of an op. */
export type AttrsOf<O> = O extends Op<string, infer Attrs> ? Attrs : never;

const knownFields = ['name', 'infer', 'reference', 'backward', 'saves', 'isView', 'mutates', 'kernels'];

/** Makes an op of its definition. */
export function defineOp<const Name extends string, Attrs = NoAttrs>(
  definition: OpDefinition<Name, Attrs>,
): Op<Name, Attrs> {
  rejectUnknownOptions('defineOp', definition, knownFields);
  const op: Op<Name, Attrs> = { ...definition, apply: (...call) => applyOp(op, ...call) };
  return op;
}

function applyOp<Name extends string, Attrs>(
  op: Op<Name, Attrs>,
  inputs: readonly Tensor[],
  attrs: Attrs,
  backend = backendOf(op.name, inputs),
): Tensor[] {
  const outputs = op.isView ? viewOutputs(op, inputs, attrs) : computeOutputs(op, inputs, attrs, backend);
  if (op.mutates) {
    for (const position of op.mutates) inputs[position].storageFor(op.name).overwrittenBy(op.name);
  } else if (isRecording()) {
    recordCall({ op, inputs, outputs, attrs });
  }
  notifyObservers({ op: op.name, inputs, outputs });
  return outputs;
}

function viewOutputs<Attrs>(op: Op<string, Attrs>, inputs: readonly Tensor[], attrs: Attrs): Tensor[] {
  return op.infer(inputs, attrs).map((spec) => inputs[0].view(op.name, spec.shape));
}

function computeOutputs<Attrs>(
  op: Op<string, Attrs>,
  inputs: readonly Tensor[],
  attrs: Attrs,
  backend: Backend,
): Tensor[] {
  const inputViews = inputs.map((input) => input.kernelTensor(op.name));
  const outputs = op.infer(inputs, attrs).map((spec) => allocateTensor(backend, spec, false, op.name));
  const hasWork = (op.mutates?.map((i) => inputs[i]) ?? outputs).some((written) => written.size > 0);
  if (!hasWork) return outputs;
  const outputViews = outputs.map((output) => output.kernelTensor(op.name));
  try {
    backend.run(op, { inputs: inputViews, outputs: outputViews, attrs });
  } catch (error) {
    for (const output of outputs) output.dispose();
    throw error;
  }
  return outputs;
}

/** A new tensor with undefined contents; `op` is named if there is no room for it. */
export function allocateTensor(
  backend: Backend,
  spec: TensorSpec,
  isParameter = false,
  op = 'allocate',
): Tensor {
  return new Tensor(new Storage(backend, spec.dtype, sizeOf(spec.shape), op), spec, { isParameter });
}

/** The one backend that all inputs live on; the current one if there are none. */
export function backendOf(op: string, inputs: readonly Tensor[]): Backend {
  if (inputs.length === 0) return currentBackend();
  const { backend } = inputs[0];
  const stranger = inputs.find((input) => input.backend !== backend);
  if (stranger) {
    const names = inputs.map((input) => `${input.backend.name} ${showShape(input.shape)}`).join(', ');
    throw new TensorError(
      op,
      'backend',
      `expected all inputs on one backend, got ${names} (copy with tensor(await x.data(), { shape }))`,
    );
  }
  return backend;
}
