import { expect, it } from 'vitest';
import { embedded, piecesOf } from './embedded-shader.ts';

const imported = piecesOf('wgsl/values', {
  3: '@group(0) @binding(0) var<storage, read> values: array<vec4<f32>>;\n',
});
const written = `struct Other { far: u32 }
struct Params {
count: u32,
scale: f32,
widths: vec4<u32>,
low: i32,
extents: array<vec4<u32>, 2>,
}
override lanes: u32 = 1u;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
`;
const shipped = `struct A{far:u32}
struct B{
count:u32,
scale:f32,
widths:vec4u,
low:i32,
extents:array<vec4u,2>,
}
override lanes:u32=1u;
@group(0)@binding(1)var<storage,read_write>sums:array<f32>;
@group(0)@binding(2)var<uniform>C:B;
`;

it.for([
  ['is written', written],
  ['is shipped', shipped],
] as const)('what host code gives a shader is read from the text that %s', ([, text]) => {
  expect(embedded('ops/sum/sum-rows', text, imported)).toMatchObject({
    name: 'sum-rows',
    path: 'ops/sum/sum-rows.wgsl',
    buffers: [
      { name: 'values', access: 'read' },
      { name: 'sums', access: 'read_write' },
    ],
    params: [
      { name: 'count', type: 'u32', offset: 0, count: 1 },
      { name: 'scale', type: 'f32', offset: 4, count: 1 },
      { name: 'widths', type: 'u32', offset: 16, count: 4 },
      { name: 'low', type: 'i32', offset: 32, count: 1 },
      { name: 'extents', type: 'u32', offset: 48, count: 8 },
    ],
    paramsSize: 80,
    constants: ['lanes'],
  });
});
