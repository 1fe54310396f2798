import { describe, expect, it } from 'vitest';
import { describeShader } from './describe-shader.js';
import { shaderModule } from './shader-module.js';

const shader = ({ buffers = '', params = 'count: u32', entry = 'main' } = {}): string => `
  struct Params { ${params} }
  override lanes: u32 = 1u;
  @group(0) @binding(0) var<storage, read> x: array<f32>;
  ${buffers}
  @group(0) @binding(1) var<storage, read_write> y: array<f32>;
  @group(0) @binding(2) var<uniform> params: Params;
  @compute @workgroup_size(64) fn ${entry}() { y[0] = x[0] * f32(params.count * lanes); }
`;

describe('describeShader', () => {
  it('reads buffers with their access, the layout of params, and constants', () => {
    const params = 'count: u32, scale: f32, extents: array<vec4<u32>, 2>, offset: vec4<i32>';
    expect(describeShader('a.wgsl', shader({ params }))).toEqual({
      buffers: [
        { name: 'x', access: 'read' },
        { name: 'y', access: 'read_write' },
      ],
      params: [
        { name: 'count', type: 'u32', offset: 0, count: 1 },
        { name: 'scale', type: 'f32', offset: 4, count: 1 },
        { name: 'extents', type: 'u32', offset: 16, count: 8 },
        { name: 'offset', type: 'i32', offset: 48, count: 4 },
      ],
      paramsSize: 64,
      constants: ['lanes'],
      choices: {},
    });
  });

  it('reads the names of numbers that an override constant may have', () => {
    const named = `const op_neg = 0u;
const op_leakyRelu = 1u;
const other_one = 2u;
override op: u32 = op_neg;
override left_op: u32 = op_neg;
${shader()}`;
    expect(describeShader('a.wgsl', named).choices).toEqual({
      op: { neg: 0, leakyRelu: 1 },
      left_op: { neg: 0, leakyRelu: 1 },
    });
    expect(() => describeShader('a.wgsl', named.replace('= 1u', '= 0u'))).toThrow(
      'a.wgsl: expected a number of its own for neg of op, got 0 like leakyRelu',
    );
  });

  it.for([
    ['another entry point', shader({ entry: 'start' }), /expected one compute entry point main, got start/],
    ['text that is not WGSL', 'fn main( {', /a\.wgsl: expected WGSL, got/],
    [
      'an input after an output',
      shader().replace('read> x', 'read_write> x').replace('read_write> y', 'read> y'),
      /expected inputs, then outputs/,
    ],
    ['params of another name', shader().replaceAll('params', 'options'), /expected one uniform, params/],
    [
      'params of other types',
      shader({ params: 'count: u32, m: mat2x2<f32>' }),
      /expected params\.m to be made of/,
    ],
  ] as const)('rejects %s', ([, code, message]) => {
    expect(() => describeShader('a.wgsl', code)).toThrow(message);
  });
});

describe('shaderModule', () => {
  it('types buffers, parameters and constants by name', () => {
    const text = `const op_neg = 0u;
const op_exp = 1u;
override op: u32 = op_neg;
${shader({ params: 'count: u32, extents: array<vec4<u32>, 2>' })}`;
    const pieces = [{ file: 'a.wgsl', line: 1, text }];
    const module = shaderModule([
      { name: 'segment-sum', path: 'a.wgsl', pieces, ...describeShader('a.wgsl', text) },
    ]);
    expect(module).toContain('segmentSum: embedded<');
    expect(module).toContain("('a', \"const op_neg = 0u;\\n");
    expect(module).toContain(`", [], {"op":{"neg":0,"exp":1}}),`);
    expect(module).toContain(
      "Shader<'x' | 'y', Readonly<Record<'count', number> & Record<'extents', readonly number[]>>, " +
        "{ op: 'neg' | 'exp'; lanes: number }>",
    );
  });
});
