// @ts-check
/** What a kernel's host code must know of its WGSL: bindings in order, the layout of `params`, override constants. */
import { WgslReflect } from 'wgsl_reflect/wgsl_reflect.module.js';

/**
 * @typedef {{ name: string, access: 'read' | 'read_write' }} Binding
 * @typedef {{ name: string, type: 'u32' | 'i32' | 'f32', offset: number, count: number }} Parameter
 * @typedef {Record<string, Record<string, number>>} Choices of override constants, by name
 * @typedef {{ buffers: Binding[], params: Parameter[], paramsSize: number, constants: string[], choices: Choices }} ShaderDescription
 * @typedef {{ name: string, size: number, format?: TypeLike | null, count?: number }} TypeLike
 */

const scalars = ['u32', 'i32', 'f32'];

/**
 * Reads the contract of one kernel and checks the house rules it must keep: group 0, storage buffers first, inputs
 * before outputs, then one uniform called `params`, and one compute entry point called `main`.
 *
 * @param {string} path named in errors
 * @param {string} code
 * @param {string} written what the code was linked of: it holds the names of all choices, the code only what it uses
 * @returns {ShaderDescription}
 */
export function describeShader(path, code, written = code) {
  const fail = (/** @type {string} */ message) => new Error(`${path}: ${message}`);
  const reflection = parse(code, fail);
  const entries = reflection.entry.compute.map(({ name }) => name);
  if (entries.length !== 1 || entries[0] !== 'main') {
    throw fail(`expected one compute entry point main, got ${entries.join(', ') || 'none'}`);
  }
  const groups = reflection.getBindGroups();
  if (groups.length !== 1) throw fail(`expected all bindings in group 0, got ${groups.length} groups`);
  const bindings = groups[0];
  const last = bindings.at(-1);
  if (last === undefined || last.name !== 'params' || reflection.uniforms.length !== 1) {
    throw fail(`expected one uniform, params, as the last binding, got ${last?.name}`);
  }
  /** @type {Binding[]} */
  const buffers = bindings.slice(0, -1).map((binding, i) => {
    if (binding === undefined) throw fail(`expected a storage buffer at binding ${i}, got none`);
    if (binding.access !== 'read' && binding.access !== 'read_write') {
      throw fail(`expected access read or read_write for ${binding.name}, got ${binding.access}`);
    }
    return { name: binding.name, access: binding.access };
  });
  const firstOutput = buffers.findIndex(({ access }) => access === 'read_write');
  if (firstOutput < 0 || buffers.slice(firstOutput).some(({ access }) => access === 'read')) {
    throw fail(`expected inputs, then outputs, got ${buffers.map(({ access }) => access).join(', ')}`);
  }
  const [uniform] = reflection.uniforms;
  const members = uniform.members;
  if (!members) throw fail('expected params to be a struct');
  const params = members.map(({ name, type, offset, size }) => {
    const scalar = scalarOf(/** @type {TypeLike} */ (type));
    if (!scalar) throw fail(`expected params.${name} to be made of u32, i32 or f32, got ${type.name}`);
    return { name, type: scalar, offset, count: size / 4 };
  });
  const constants = reflection.overrides.map(({ name }) => name);
  return {
    buffers,
    params,
    paramsSize: uniform.size,
    constants,
    choices: choicesOf(written, constants, fail),
  };
}

/**
 * The choices of `override op` are the constants called `op_…`, and so are those of `override left_op`: with
 * `const op_neg = 0u;` host code says `neg`.
 *
 * @param {string} code
 * @param {readonly string[]} overrides
 * @param {(message: string) => Error} fail
 */
function choicesOf(code, overrides, fail) {
  const constants = Array.from(
    code.matchAll(/^const ([a-z0-9]+)_(\w+) = (\d+)u;/gm),
    ([, group, name, value]) => ({
      group,
      name,
      value: Number(value),
    }),
  );
  /** @type {Choices} */
  const choices = {};
  for (const override of overrides) {
    const named = constants.filter(({ group }) => override === group || override.endsWith(`_${group}`));
    for (const { name, value } of named) {
      const other = named.find((choice) => choice.name !== name && choice.value === value);
      if (other)
        throw fail(
          `expected a number of its own for ${name} of ${override}, got ${value} like ${other.name}`,
        );
      (choices[override] ??= {})[name] = value;
    }
  }
  return choices;
}

/**
 * @param {string} code
 * @param {(message: string) => Error} fail
 */
function parse(code, fail) {
  try {
    return new WgslReflect(code);
  } catch (error) {
    throw fail(`expected WGSL, got: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * The scalar inside vectors and arrays, all of which lie in memory without gaps (arrays hold only vec4). vec4u is vec4<u32>.
 *
 * @param {TypeLike} type
 * @returns {Parameter['type'] | undefined}
 */
function scalarOf(type) {
  const name = type.name.replace(/^vec4([fiu])$/, (_, letter) => `${letter}32`);
  if (scalars.includes(name)) return /** @type {Parameter['type']} */ (name);
  return ['vec4', 'array'].includes(type.name) && type.format ? scalarOf(type.format) : undefined;
}
