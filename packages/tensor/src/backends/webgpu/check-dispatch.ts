/** Holds a dispatch of a user's own shader to the names in its WGSL: the compiler sees most mistakes, if there is one. */
import type { KernelCall } from '../../core/backend.ts';
import { TensorError, unknownName } from '../../core/errors.ts';
import { tensorsOf } from '../../core/operands.ts';
import type { Dispatch } from '../../core/own-kernels.ts';
import type { Shader, ShaderConstants, ShaderParams } from '../../core/shader.ts';
import type { GpuBuffer, Memory } from './gpu-buffer.ts';
import { bufferOf } from './kernel.ts';
import type { GpuOperand, GpuTensor } from './kernel.ts';

type AnyDispatch = Dispatch<string, ShaderParams, ShaderConstants, GpuOperand>;

export function checkDispatch(
  shader: Shader<string, never>,
  given: AnyDispatch,
  call: KernelCall<GpuBuffer>,
): void {
  const { name, buffers, params } = shader;
  checkNames(
    name,
    'buffers',
    buffers.map((buffer) => buffer.name),
    given.buffers,
  );
  checkNames(
    name,
    'params',
    params.map((param) => param.name),
    given.params,
  );
  for (const constant of Object.keys(given.constants ?? {})) {
    const constants: readonly string[] = shader.constants;
    if (!constants.includes(constant)) throw unknown(name, 'constants', constant, constants);
  }
  checkWrites(shader, given, call);
}

const unknown = (shader: string, what: string, name: string, known: readonly string[]): TensorError =>
  new TensorError(shader, 'option', unknownName(what, name, known));

/** Every name has a value, and nothing else has. */
function checkNames(shader: string, what: string, names: readonly string[], given: object): void {
  const values = given as Readonly<Record<string, unknown>>;
  const stranger = Object.keys(values).find((key) => !names.includes(key));
  if (stranger !== undefined) throw unknown(shader, what, stranger, names);
  const missing = names.find((key) => values[key] === undefined);
  if (missing === undefined) return;
  const list = (of: readonly string[]): string => `{${of.join(', ')}}`;
  throw new TensorError(
    shader,
    'option',
    `expected all of ${what} ${list(names)}, got ${list(Object.keys(values))} (give ${missing} a value)`,
  );
}

/** What a shader writes must be an output, scratch or mutated, and bound once. */
function checkWrites(
  { name, buffers }: Shader<string, never>,
  given: AnyDispatch,
  { op, operands }: KernelCall<GpuBuffer>,
): void {
  const mutated = new Set(op.names.mutates);
  const kept = op.names.operands.filter((operand) => !operand.isRows && !mutated.has(operand.name));
  const holders = new Map<Memory, string>();
  for (const operand of kept) {
    for (const tensor of tensorsOf<GpuTensor, never>([operand], operands as never)) {
      holders.set(tensor.buffer.memory, operand.name);
    }
  }
  const bound = new Map<Memory, string>();
  for (const { name: buffer, access } of buffers) {
    const { memory } = bufferOf(given.buffers[buffer]);
    const isWritten = access === 'read_write';
    const operand = holders.get(memory);
    if (isWritten && operand !== undefined) {
      throw new TensorError(
        name,
        'kernel',
        `expected an output, scratch or a mutated operand for ${buffer}, which is var<storage, read_write>, got operand ` +
          `${operand} of ${op.name} (declare it var<storage, read>, or say mutates: ['${operand}'])`,
      );
    }
    const other = bound.get(memory);
    const isBoth = buffers.some((one) => one.access === 'read_write' && [buffer, other].includes(one.name));
    if (other !== undefined && isBoth) {
      throw new TensorError(
        name,
        'kernel',
        `expected memory of their own for ${other} and ${buffer}, one of which is written, got the same for both`,
      );
    }
    bound.set(memory, buffer);
  }
}
