/**
 * Kernels of users' own ops: `shader` reads WGSL given as text, and `defineOp({ …, kernels: { webgpu } })` takes a function
 * that dispatches it, as those of the built-in ops do. Apart from the rest, since the parser is larger than the engine.
 */
import { WgslReflect } from 'wgsl_reflect/wgsl_reflect.module.js';
import { TensorError } from '../../core/errors.ts';
import type { Shader, ShaderBuffer, ShaderParameter } from '../../core/shader.ts';
import { textAround } from './compile-messages.ts';
import { slotBytes } from './uniform-ring.ts';
import type { BuffersIn, ConstantsIn, ParamsIn } from './wgsl-names.ts';

export type { Dispatch, WebGpuKernel, WebGpuLauncher } from '../../core/own-kernels.ts';
export type {
  Shader,
  ShaderBuffer,
  ShaderConstants,
  ShaderParameter,
  ShaderParams,
} from '../../core/shader.ts';
export type { BuffersIn, ConstantsIn, ParamsIn } from './wgsl-names.ts';

/**
 * A shader of WGSL text with one compute entry point `main`. In group 0: storage buffers at bindings 0, 1, …, of 4-byte
 * elements (array<f32>, array<i32>, array<u32> for masks, or vectors of them); then, if there are parameters,
 * `var<uniform> params` of a struct. Buffers may be longer than the tensor: guard by a count among the parameters, not by
 * arrayLength. `name` is what errors and profiles call it.
 *
 * @example
 * import { readFileSync } from 'node:fs';
 * const double = shader('double', readFileSync('double.wgsl', 'utf8'));
 */
export function shader<const Text extends string>(
  name: string,
  code: Text,
): Shader<BuffersIn<Text>, ParamsIn<Text>, ConstantsIn<Text>> {
  const reflection = parse(name, code);
  const entries = reflection.entry.compute.map((entry) => entry.name);
  if (entries.length !== 1 || entries[0] !== 'main') {
    throw fail(name, `expected one compute entry point main, got ${entries.join(', ') || 'none'}`);
  }
  const { buffers, params } = bindingsOf(name, reflection);
  const paramsSize = params?.size ?? 16;
  if (paramsSize > slotBytes) {
    throw new TensorError(
      name,
      'limit',
      `expected at most ${slotBytes} bytes of parameters, got ${paramsSize}`,
    );
  }
  const made: Shader<string, never, never> = {
    name,
    path: '',
    code,
    buffers,
    params: (params?.members ?? []).map((member) => parameterOf(name, member)),
    paramsSize,
    constants: reflection.overrides.map((override) => override.name),
  };
  return made as unknown as Shader<BuffersIn<Text>, ParamsIn<Text>, ConstantsIn<Text>>;
}

type Binding = WgslReflect['uniforms'][number];
type Member = NonNullable<Binding['members']>[number];

/** Storage buffers first, then the parameters. */
function bindingsOf(
  name: string,
  reflection: WgslReflect,
): { readonly buffers: ShaderBuffer[]; readonly params: Binding | undefined } {
  const groups = reflection.getBindGroups();
  if (groups.length > 1) throw fail(name, `expected all bindings in group 0, got ${groups.length} groups`);
  const [params, ...others] = reflection.uniforms;
  if (others.length > 0 || (params as Binding | undefined)?.name !== (params && 'params')) {
    const names = reflection.uniforms.map((uniform) => uniform.name).join(', ');
    throw fail(name, `expected at most one uniform, params, got ${names}`);
  }
  const buffers = reflection.storage.toSorted((a, b) => a.binding - b.binding);
  const numbers = [...buffers, ...reflection.uniforms].map(({ binding }) => binding);
  if (buffers.length === 0 || numbers.some((number, i) => number !== i)) {
    throw fail(
      name,
      `expected storage buffers at bindings 0, 1, … and params after them, got ${numbers.join(', ') || 'none'}`,
    );
  }
  return {
    buffers: buffers.map(({ name: buffer, access }) => {
      if (access === 'read' || access === 'read_write') return { name: buffer, access };
      throw fail(name, `expected access read or read_write for ${buffer}, got ${access}`);
    }),
    params,
  };
}

const scalars: Readonly<Record<string, ShaderParameter['type']>> = { u: 'u32', i: 'i32', f: 'f32' };

function parameterOf(shaderName: string, { name, type, offset, size }: Member): ShaderParameter {
  const written = type.getTypeName();
  const [, letter] = /^(?:array<vec4|vec[234])?([uif])(?:32)?(?:, ?\d+>)?$/.exec(written) ?? [];
  if (letter === undefined) {
    throw fail(
      shaderName,
      `expected params.${name} to be u32, i32, f32, a vector of them or an array of vec4, got ${written}`,
    );
  }
  return { name, type: scalars[letter], offset, count: size / 4 };
}

function parse(name: string, code: string): WgslReflect {
  try {
    return new WgslReflect(code);
  } catch (error) {
    const [, what, line] = /^(.*?)\.* Line: (\d+)/.exec((error as Error).message) ?? [];
    if (line === undefined) throw fail(name, `expected WGSL, got: ${(error as Error).message}`);
    const around = textAround({ path: '', code }, Number(line));
    throw fail(name, `wgsl:${line}: ${what}\n${around}`);
  }
}

const fail = (name: string, message: string): TensorError => new TensorError(name, 'kernel', message);
