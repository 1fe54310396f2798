/** Type tests: these lines compile or fail to compile as marked; nothing runs. */
import type { BuffersIn, ConstantsIn, ParamsIn } from './wgsl-names.ts';

export const text = `
  // y = x · by^power: what stands behind // counts not, as in var<storage> z: array<f32>;
  struct Params {
    count: u32, // how many: all of them
    by: f32,
    lists: array<vec4<u32>, 2>,
    pair: vec2<f32>,
  }
  override power: u32 = 1u;
  override half = 2u;
  @group(0) @binding(0) var<storage, read> x: array<f32>;
  @group(0) @binding(1) var<storage, read_write> y : array<vec4<f32>>;
  @group(0) @binding(2) var<uniform> params: Params;
  @compute @workgroup_size(64)
  fn main(@builtin(workgroup_id) group: vec3<u32>) { let i: u32 = group.x; }`;
type Text = typeof text;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export const buffers: Same<BuffersIn<Text>, 'x' | 'y'> = true;
export const constants: Same<keyof ConstantsIn<Text>, 'power' | 'half'> = true;
export const params: ParamsIn<Text> = { count: 1, by: 2, lists: [3, 4], pair: [5, 6] };

// @ts-expect-error: a parameter that is left out.
export const missing: ParamsIn<Text> = { count: 1, by: 2, lists: [3, 4] };

// @ts-expect-error: a misspelt parameter.
export const misspelt: ParamsIn<Text> = { ...params, bye: 2 };

// @ts-expect-error: a list for a number.
export const list: ParamsIn<Text> = { ...params, by: [1] };

export const none: Same<
  ParamsIn<'@group(0) @binding(0) var<storage, read> x: array<f32>;'>,
  Readonly<object>
> = false;
export const empty: ParamsIn<'var<storage, read> x: array<f32>;'> = {};
export const anyBuffer: BuffersIn<string> = 'whatever';
export const anyParams: ParamsIn<string> = { whatever: 1, list: [2] };
