import { expectOneOf } from '../../core/errors.ts';

/** What host code knows of a WGSL kernel. The records are generated from the .wgsl files by tools/wgsl. */
export interface ShaderBuffer {
  readonly name: string;
  readonly access: 'read' | 'read_write';
}

/** A member of `params`: `count` scalars from `offset`, without gaps. */
export interface ShaderParameter {
  readonly name: string;
  readonly type: 'u32' | 'i32' | 'f32';
  readonly offset: number;
  readonly count: number;
}

/** A kernel that takes these buffers, parameters and override constants, by name. */
export interface Shader<
  Buffers extends string = string,
  Params extends ShaderParams = ShaderParams,
  Constants extends ShaderConstants = never,
> {
  readonly name: string;
  /** Of the .wgsl file, under src. */
  readonly path: string;
  /** Plain WGSL: the file, joined with what it imports. */
  readonly code: string;
  /** In the order of their binding numbers; `params` comes after the last. */
  readonly buffers: readonly (ShaderBuffer & { readonly name: Buffers })[];
  readonly params: readonly (ShaderParameter & { readonly name: keyof Params & string })[];
  readonly paramsSize: number;
  readonly constants: readonly (keyof Constants & string)[];
  /** Numbers of the override constants whose values have names: `const op_neg = 0u;` is `neg` of `override op`. */
  readonly choices?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Files that parts of the code may come from. */
  readonly files?: readonly string[];
  /**
   * Where the lines of the code were written: for each run of them its length, its file (0 is `path`, 1 the first of
   * `files`) and the number of its first line.
   */
  readonly lines?: readonly number[];
}

/** Values of override constants: numbers, or the names that the WGSL gives them. */
export type ShaderConstants = Readonly<Record<string, number | string>>;

/** The values that a shader's override constants may have, by name. */
export type ConstantsOf<S> = S extends Shader<string, never, infer Constants> ? Constants : never;

/** Values of the members of `params`: numbers, or lists for vectors and arrays. */
export type ShaderParams = Readonly<Record<string, number | readonly number[]>>;

/** What the device takes for override constants: the numbers of those that are named. */
export function constantsOf(
  { name, choices = {} }: Shader<string, never>,
  constants: ShaderConstants,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(constants).map(([constant, value]) => {
      if (typeof value === 'number') return [constant, value];
      const named = choices[constant] ?? {};
      return [constant, named[expectOneOf(name, constant, value, Object.keys(named))]];
    }),
  );
}

/** What tells where code was written. */
export type Written = Pick<Shader<string, never>, 'path' | 'files' | 'lines'>;

/** `ops/fill/fill.wgsl:24`, where a line of the code (from 1 on) was written; `wgsl:24` of a kernel given as text. */
export function writtenAt({ path, files = [], lines = [] }: Written, line: number): string {
  let rest = line - 1;
  for (let i = 0; i < lines.length; i += 3) {
    if (rest < lines[i]) return `${[path, ...files][lines[i + 1]]}:${lines[i + 2] + rest}`;
    rest -= lines[i];
  }
  return `${path || 'wgsl'}:${line}`;
}
