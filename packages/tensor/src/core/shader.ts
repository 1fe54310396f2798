/** WGSL kernels as host code sees them. Here, since an op that a user defines may bring some along. */

/** What host code knows of a WGSL kernel. Those of the .wgsl files are made by `embedded` (embedded-shader.ts). */
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

/** Lines of code that were written one after the other in a file under src, the first of them at `line`. */
export interface ShaderPiece {
  readonly file: string;
  readonly line: number;
  readonly text: string;
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
  /** What the code was joined of, each piece from one file; absent if it was given as text. */
  readonly pieces?: readonly ShaderPiece[];
}

/** Values of override constants: numbers, or the names that the WGSL gives them. */
export type ShaderConstants = Readonly<Record<string, number | string>>;

/** Values of the members of `params`: numbers, or lists for vectors and arrays. */
export type ShaderParams = Readonly<Record<string, number | readonly number[]>>;
