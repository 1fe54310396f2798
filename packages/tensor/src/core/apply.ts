/** How an op runs: what it is given is checked, what it gives allocated, its kernel called, and whoever listens told. */
import { currentBackend } from './backend.ts';
import type { Backend } from './backend.ts';
import type { TensorSpec } from './dtype.ts';
import { showShape, TensorError, unknownName } from './errors.ts';
import { hasObservers, notifyObservers } from './observe.ts';
import type { AnyOp, OpNames } from './op.ts';
import { rowsOf, tensorsOf } from './operands.ts';
import type { AnyValues, Named } from './operands.ts';
import { isRecording, recordCall } from './recording.ts';
import type { RecordedCall } from './recording.ts';
import type { RowIndex } from './row-index.ts';
import { sizeOf } from './shape.ts';
import { Storage } from './storage.ts';
import { Tensor } from './tensor.ts';

export function applyOp(
  op: AnyOp,
  operands: AnyValues<Tensor, RowIndex>,
  attrs: unknown,
  given: Backend | undefined,
): AnyValues<Tensor, never> {
  const { names } = op;
  const backend = checkOperands(op, operands, given);
  const specs = op.infer(operands as never, attrs as never);
  if (names.viewOf !== undefined) {
    const { name } = names.outputs[0];
    const view = (operands[names.viewOf] as Tensor).view(op.name, (specs[name] as TensorSpec).shape);
    return finish({ op, operands, outputs: { [name]: view }, attrs });
  }
  const outputs = allocateOutputs(op, specs, backend);
  const call = { op, operands, outputs, attrs };
  if (hasWork(names, call)) {
    try {
      backend.run(call);
    } catch (error) {
      for (const output of tensorsOf(names.outputs, outputs)) output.dispose();
      throw error;
    }
  }
  return finish(call);
}

/** Tells tapes and observers of a call that has run. */
function finish(call: RecordedCall): AnyValues<Tensor, never> {
  const { op, operands, outputs } = call;
  const { mutates } = op.names;
  if (mutates) {
    for (const name of mutates) (operands[name] as Tensor).storageFor(op.name).overwrittenBy(op.name);
  } else if (isRecording()) {
    recordCall(call);
  }
  if (hasObservers()) {
    notifyObservers({
      op: op.name,
      inputs: tensorsOf(op.names.operands, operands),
      indices: rowsOf(op.names.operands, operands),
      outputs: tensorsOf(op.names.outputs, outputs),
    });
  }
  return outputs;
}

/** Whether something is written at all. */
function hasWork({ mutates, outputs: names }: OpNames, call: RecordedCall): boolean {
  if (mutates) return mutates.some((name) => (call.operands[name] as Tensor).size > 0);
  for (const { name, isList } of names) {
    const output = call.outputs[name];
    if (isList ? (output as readonly Tensor[]).some(({ size }) => size > 0) : (output as Tensor).size > 0) {
      return true;
    }
  }
  return false;
}

function allocateOutputs(
  op: AnyOp,
  specs: AnyValues<TensorSpec, never>,
  backend: Backend,
): AnyValues<Tensor, never> {
  const outputs: Record<string, Tensor | readonly Tensor[]> = {};
  for (const { name, isList } of op.names.outputs) {
    const spec = specs[name];
    if (spec === undefined) {
      throw new TensorError(op.name, 'shape', `infer must say what '${name}' is, got ${showNames(specs)}`);
    }
    const allocate = (one: TensorSpec): Tensor => {
      requireSpec(op, name, one);
      return allocateTensor(backend, one, false, op.name);
    };
    outputs[name] = isList ? (spec as readonly TensorSpec[]).map(allocate) : allocate(spec as TensorSpec);
  }
  return outputs;
}

/** What a shape rule says must be possible: those of users are held to it here. */
function requireSpec(op: AnyOp, name: string, { dtype, shape }: TensorSpec): void {
  if (dtype !== 'float32' && dtype !== 'int32' && dtype !== 'bool') {
    const message = unknownName('a dtype', dtype, ['float32', 'int32', 'bool']);
    throw new TensorError(op.name, 'dtype', `infer of ${name}: ${message}`);
  }
  let isPossible = Array.isArray(shape);
  for (let axis = 0; isPossible && axis < shape.length; axis++) {
    isPossible = Number.isSafeInteger(shape[axis]) && shape[axis] >= 0;
  }
  if (isPossible) return;
  const got = Array.isArray(shape) ? showShape(shape) : String(shape);
  throw new TensorError(op.name, 'shape', `infer of ${name}: shape must be whole numbers ≥ 0, got ${got}`);
}

/** Checks that every operand is there, alive, and on one backend, which is returned; the current one if there are none. */
function checkOperands(
  op: AnyOp,
  operands: AnyValues<Tensor, RowIndex>,
  given: Backend | undefined,
): Backend {
  const { operands: names, hasOptional } = op.names;
  let backend: Backend | undefined;
  let count = 0;
  for (const { name, isList, isOptional } of names) {
    const value = operands[name];
    if (value === undefined) {
      if (!isOptional) failNames(op, operands);
      continue;
    }
    count += 1;
    if (!isList) {
      const own = (value as Tensor | RowIndex).backend;
      backend ??= own;
      if (own !== backend) failBackends(op, operands);
      (value as Tensor | RowIndex).requireLive(op.name);
      continue;
    }
    for (const item of value as readonly (Tensor | RowIndex)[]) {
      backend ??= item.backend;
      if (item.backend !== backend) failBackends(op, operands);
      item.requireLive(op.name);
    }
  }
  if (hasOptional ? hasOthers(names, operands) : Object.keys(operands).length > count)
    failNames(op, operands);
  return given ?? backend ?? currentBackend();
}

function hasOthers(names: readonly Named[], operands: object): boolean {
  return Object.keys(operands).some((given) => !names.some(({ name }) => name === given));
}

const showNames = (values: object): string => `{${Object.keys(values).join(', ')}}`;

function failNames({ name, names }: AnyOp, operands: AnyValues<Tensor, RowIndex>): never {
  const wanted = names.operands
    .map((operand) => `${operand.name}${operand.isOptional ? '?' : ''}`)
    .join(', ');
  const given = Object.keys(operands).filter((key) => operands[key] !== undefined);
  throw new TensorError(name, 'option', `expected operands {${wanted}}, got {${given.join(', ')}}`);
}

function failBackends({ name, names }: AnyOp, operands: AnyValues<Tensor, RowIndex>): never {
  const tensors = tensorsOf(names.operands, operands).map(
    ({ backend, shape }) => `${backend.name} ${showShape(shape)}`,
  );
  const indices = rowsOf(names.operands, operands).map(
    ({ backend, rows }) => `${backend.name} index into ${rows} rows`,
  );
  failStrangers(name, [...tensors, ...indices]);
}

function failStrangers(op: string, values: readonly string[]): never {
  throw new TensorError(
    op,
    'backend',
    `expected all inputs on one backend, got ${values.join(', ')} (copy with tensor(await x.data(), { shape }))`,
  );
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

/** The one backend that all tensors live on. */
export function backendOf(op: string, tensors: readonly Tensor[]): Backend {
  const [{ backend }] = tensors;
  if (tensors.some((tensor) => tensor.backend !== backend)) {
    failStrangers(
      op,
      tensors.map((tensor) => `${tensor.backend.name} ${showShape(tensor.shape)}`),
    );
  }
  return backend;
}
