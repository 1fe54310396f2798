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
  Constants extends string = string,
> {
  readonly name: string;
  /** Of the .wgsl file, under src. */
  readonly path: string;
  readonly code: string;
  /** In the order of their binding numbers; `params` comes after the last. */
  readonly buffers: readonly (ShaderBuffer & { readonly name: Buffers })[];
  readonly params: readonly (ShaderParameter & { readonly name: keyof Params & string })[];
  readonly paramsSize: number;
  readonly constants: readonly Constants[];
}

export type ShaderParams = Readonly<Record<string, number | readonly number[]>>;
