import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setBackend } from '../../core/backend.ts';
import type { Backend } from '../../core/backend.ts';
import { defineOp } from '../../core/op.ts';
import type { WebGpuKernel } from '../../core/own-kernels.ts';
import { rowIndex } from '../../core/row-index.ts';
import { sizeOf } from '../../core/shape.ts';
import { full, tensor } from '../../create/create.ts';
import { openWebGpu } from '../../node/index.ts';
import { grad } from '../../ops/grad/grad.ts';
import { add, mul } from '../../ops/elementwise/binary.op.ts';
import { sum } from '../../ops/reduce/sum.op.ts';
import { shader } from './own-shader.ts';
import type { WebGpuBackend } from './webgpu-backend.ts';

interface ScaleAttrs {
  readonly by: number;
}

type ScaleKernel = WebGpuKernel<{ readonly x: 'tensor' }, { readonly y: 'tensor' }, ScaleAttrs>;

const text = `
struct Params { count: u32, by: f32 }
override power: u32 = 1u;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;
@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let i = (group.y * groups.x + group.x) * 64u + local;
  if (i >= params.count) { return; }
  y[i] = x[i];
  for (var k = 0u; k < power; k++) { y[i] *= params.by; }
}`;
const scaleShader = shader('scale', text);

const scaleBy =
  (used = scaleShader): ScaleKernel =>
  ({ x }, { y }, gpu, { by }) => {
    const count = sizeOf(x.shape);
    gpu.dispatch(used, {
      buffers: { x: x.buffer, y: y.buffer },
      params: { count, by },
      constants: { power: 2 },
      workgroups: Math.ceil(count / 64),
    });
  };

/** y = by²·x;   dx = by²·dout */
const scaling = (name: string, webgpu: ScaleKernel | undefined) =>
  defineOp({
    name,
    operands: { x: 'tensor' },
    outputs: { y: 'tensor' },
    infer: ({ x }, _attrs: ScaleAttrs) => ({ y: x }),
    reference: ({ x }, { y }, { by }) => {
      x.data.forEach((value, i) => (y.data[i] = value * by * by));
    },
    backward: (_values, { dout, attrs: { by } }) => ({ x: () => mul(dout.y, by * by) }),
    kernels: { webgpu },
  });

let backend: WebGpuBackend;
let previous: Backend | undefined;
beforeEach(async () => {
  backend = await openWebGpu();
  previous = setBackend(backend);
});
afterEach(async () => {
  setBackend(previous);
  await backend.close();
});

describe("a user's own kernel", () => {
  it('runs and has a gradient', async () => {
    const scale = scaling('scale', scaleBy());
    using x = tensor(Float32Array.from({ length: 1000 }, (_, i) => i));
    using y = scale.apply({ x }, { by: 3 }).y;
    expect((await y.data())[999]).toBe(999 * 9);
    const [dx] = grad(() => sum(scale.apply({ x }, { by: 3 }).y), [x]);
    expect((await dx.data())[999]).toBe(9);
    dx.dispose();
  });

  it('splits its workgroups over two dimensions', async () => {
    const narrow = await openWebGpu({ limits: { maxComputeWorkgroupsPerDimension: 3 } });
    setBackend(narrow);
    using x = full([64 * 7 + 5], 1);
    using y = scaling('scale', scaleBy()).apply({ x }, { by: 2 }).y;
    expect(await y.data()).toEqual(new Float32Array(x.size).fill(4));
    await narrow.close();
  });

  it('dispatches more than once, through scratch, and reads an index', async () => {
    const op = defineOp({
      name: 'twice',
      operands: { x: 'tensor', index: 'rows' },
      outputs: { y: 'tensor' },
      infer: ({ x, index }) => ({ y: { ...x, shape: [index.length] } }),
      reference: ({ x, index }, { y }) => {
        for (let i = 0; i < y.data.length; i++) y.data[i] = 16 * x.data[index.ids.data[i]];
      },
      kernels: {
        webgpu: ({ x, index }, { y }, gpu) => {
          const [count, by] = [index.length, 2];
          const [first, second] = [gpu.scratch(count), gpu.scratch(count)];
          const gatherShader = shader(
            'gather',
            `@group(0) @binding(0) var<storage, read> x: array<f32>;
            @group(0) @binding(1) var<storage, read> ids: array<i32>;
            @group(0) @binding(2) var<storage, read_write> y: array<f32>;
            @compute @workgroup_size(1) fn main(@builtin(workgroup_id) group: vec3<u32>) { y[group.x] = x[ids[group.x]]; }`,
          );
          gpu.dispatch(gatherShader, {
            buffers: { x: x.buffer, ids: index.ids.buffer, y: first },
            params: {},
            workgroups: count,
          });
          const constants = { power: 2 };
          const scaled = { params: { count, by }, constants, workgroups: 1 };
          gpu.dispatch(scaleShader, { buffers: { x: first, y: second }, ...scaled });
          gpu.dispatch(scaleShader, { buffers: { x: second, y: y.buffer }, ...scaled });
        },
      },
    });
    using x = tensor([1, 2, 3]);
    using y = op.apply({ x, index: rowIndex([2, 0], 3) }, {}).y;
    expect([...(await y.data())]).toEqual([48, 16]);
  });

  it('that is missing is an error that says how to give one', () => {
    using x = full([3], 1);
    expect(() => scaling('lonely', undefined).apply({ x }, { by: 1 })).toThrow(
      /lonely: expected a kernel for webgpu, got none \(give defineOp kernels/,
    );
  });
});

describe('WGSL that is read', () => {
  const mistakes: readonly (readonly [name: string, wgsl: string, message: string | RegExp])[] = [
    [
      'syntax',
      text.replace('{ return; }', '{ return }'),
      /^mistaken: wgsl:14: .*\n {2}13 \| .*\n> 14 \| {3}if \(i >= params.count\) \{ return \}\n {2}15 \| .*$/,
    ],
    ['no WGSL', 'this is not WGSL', 'mistaken: expected one compute entry point main, got none'],
    [
      'another entry point',
      text.replace('fn main', 'fn other'),
      'mistaken: expected one compute entry point main, got other',
    ],
    [
      'bindings with a gap',
      text.replace('@binding(2)', '@binding(7)'),
      'mistaken: expected storage buffers at bindings 0, 1, … and params after them, got 0, 1, 7',
    ],
    [
      'two groups',
      text.replace('@group(0) @binding(2)', '@group(1) @binding(0)'),
      'mistaken: expected all bindings in group 0, got 2 groups',
    ],
    [
      'another uniform',
      text.replaceAll('params', 'sizes'),
      'mistaken: expected at most one uniform, params, got sizes',
    ],
    [
      'a parameter of an odd type',
      text.replace('by: f32', 'by: mat2x2<f32>'),
      'mistaken: expected params.by to be u32, i32, f32, a vector of them or an array of vec4, got mat2x2f',
    ],
    [
      'too many parameters',
      text.replace('by: f32', 'by: f32, more: array<vec4<f32>, 16>'),
      'mistaken: expected at most 256 bytes of parameters, got 272',
    ],
  ];

  it.for(mistakes)('and has a mistake (%s) is an error at once', ([, wgsl, message]) => {
    expect(() => shader('mistaken', wgsl)).toThrow(message);
  });

  it('and is right says what it takes', () => {
    const { buffers, params, constants, paramsSize } = shader(
      'all',
      text.replace('by: f32', 'by: f32, pair: vec2<u32>, lists: array<vec4<i32>, 2>'),
    );
    expect(buffers).toEqual([
      { name: 'x', access: 'read' },
      { name: 'y', access: 'read_write' },
    ]);
    expect(constants).toEqual(['power']);
    expect(paramsSize).toBe(48);
    expect(params).toEqual([
      { name: 'count', type: 'u32', offset: 0, count: 1 },
      { name: 'by', type: 'f32', offset: 4, count: 1 },
      { name: 'pair', type: 'u32', offset: 8, count: 2 },
      { name: 'lists', type: 'i32', offset: 16, count: 8 },
    ]);
  });
});

describe('a dispatch that does not fit its WGSL', () => {
  type Given = Parameters<Parameters<ScaleKernel>[2]['dispatch']>[1];
  const right = { params: { count: 3, by: 1 }, workgroups: 1 };

  const mistakes: readonly (readonly [name: string, change: Partial<Given>, message: string])[] = [
    ['NaN workgroups', { workgroups: NaN }, 'mistaken: workgroups must be a whole number > 0, got NaN'],
    ['no workgroups', { workgroups: 0 }, 'mistaken: workgroups must be a whole number > 0, got 0'],
    ['half a workgroup', { workgroups: 1.5 }, 'mistaken: workgroups must be a whole number > 0, got 1.5'],
    ['a buffer too few', { buffers: {} }, 'scale: expected all of buffers {x, y}, got {} (give x a value)'],
    [
      'a parameter left out',
      { params: { count: 3 } },
      'scale: expected all of params {count, by}, got {count} (give by a value)',
    ],
    [
      'a parameter too many',
      { params: { count: 3, by: 1, bye: 2 } },
      "scale: expected params among count, by, got 'bye' (did you mean by?)",
    ],
    [
      'an unknown constant',
      { constants: { powder: 2 } },
      "scale: expected constants among power, got 'powder' (did you mean power?)",
    ],
  ];

  it.for(mistakes)('(%s) is an error in our words', ([, change, message]) => {
    using x = full([3], 1);
    const op = scaling('mistaken', ({ x: from }, { y }, gpu) => {
      const buffers = { x: from.buffer, y: y.buffer };
      gpu.dispatch(scaleShader, { buffers, ...right, ...change } as never);
    });
    expect(() => op.apply({ x }, { by: 1 })).toThrow(message);
  });

  it('(a buffer too many) is an error in our words', () => {
    using x = full([3], 1);
    const op = scaling('mistaken', ({ x: from }, { y }, gpu) => {
      const buffers = { x: from.buffer, y: y.buffer, z: y.buffer };
      gpu.dispatch(scaleShader, { buffers, ...right });
    });
    expect(() => op.apply({ x }, { by: 1 })).toThrow("scale: expected buffers among x, y, got 'z'");
  });

  it('(an operand that is written) is an error that names it', () => {
    const greedy = shader('greedy', text.replace('<storage, read> x', '<storage, read_write> x'));
    using x = full([3], 1);
    expect(() => scaling('mistaken', scaleBy(greedy as never)).apply({ x }, { by: 1 })).toThrow(
      'greedy: expected an output, scratch or a mutated operand for x, which is var<storage, read_write>, got operand x of mistaken',
    );
  });

  it('(one buffer for what is read and what is written) is an error that names both', () => {
    using x = full([3], 1);
    const op = scaling('mistaken', (_, { y }, gpu) => {
      gpu.dispatch(scaleShader, { buffers: { x: y.buffer, y: y.buffer }, ...right });
    });
    expect(() => op.apply({ x }, { by: 1 })).toThrow(
      'scale: expected memory of their own for x and y, one of which is written, got the same for both',
    );
  });
});

describe('WGSL that the device refuses', () => {
  const refused = shader('refused', text.replace('y[i] = x[i];', 'y[i] = undeclared;'));
  const message =
    /^refused: the device refused it: wgsl:15: unresolved value 'undeclared'\n {2}14 \| .*\n> 15 \| {3}y\[i\] = undeclared;\n {2}16 \| .*$/;

  it('gives the line, the message and the text around it, and a silent console', async () => {
    const said = (['error', 'warn', 'log', 'info'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
    using x = full([3], 1);
    using y = scaling('mistaken', scaleBy(refused as never)).apply({ x }, { by: 1 }).y;
    await expect(y.data()).rejects.toThrow(message);
    await expect(y.data()).rejects.toMatchObject({ code: 'kernel', op: 'refused', name: 'TensorError' });
    for (const spy of [...said, stderr]) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it('spoils what depends on it and nothing else', async () => {
    const op = scaling('mistaken', scaleBy(refused as never));
    using x = full([3], 1);
    using before = add(x, 1);
    using y = op.apply({ x }, { by: 1 }).y;
    using dependent = mul(add(y, 1), 2);
    using after = add(x, 2);
    await expect(dependent.data()).rejects.toThrow(message);
    expect([...(await before.data())]).toEqual([2, 2, 2]);
    expect([...(await after.data())]).toEqual([3, 3, 3]);
    expect([...(await x.data())]).toEqual([1, 1, 1]);
    // Whoever is told of it need not be told again, and a later call fails at once.
    await backend.synchronise();
    expect(() => op.apply({ x }, { by: 1 })).toThrow(message);
    // The memory is lent again, and clean.
    y.dispose();
    dependent.dispose();
    using again = add(x, 3);
    expect([...(await again.data())]).toEqual([4, 4, 4]);
    using right = scaling('scale', scaleBy()).apply({ x }, { by: 2 }).y;
    expect([...(await right.data())]).toEqual([4, 4, 4]);
  });

  it('is told by the next call that waits if nobody reads', async () => {
    using x = full([3], 1);
    using _y = scaling('mistaken', scaleBy(refused as never)).apply({ x }, { by: 1 }).y;
    await expect(backend.synchronise()).rejects.toThrow(message);
    await backend.synchronise();
  });

  it('is told by warmUp too', async () => {
    using x = full([3], 1);
    const op = scaling('mistaken', scaleBy(refused as never));
    const warming = backend.warmUp(() => {
      op.apply({ x }, { by: 1 }).y.dispose();
    });
    await expect(warming).rejects.toMatchObject({ code: 'kernel', op: 'refused' });
    expect([...(await x.data())]).toEqual([1, 1, 1]);
  });
});

describe('an impossible output of infer', () => {
  it.for([
    [{ dtype: 'float32', shape: [2, -1] }, 'odd: infer of y: shape must be whole numbers ≥ 0, got [2, -1]'],
    [{ dtype: 'float32', shape: [0.5] }, 'odd: infer of y: shape must be whole numbers ≥ 0, got [0.5]'],
    [{ dtype: 'float32', shape: [NaN] }, 'odd: infer of y: shape must be whole numbers ≥ 0, got [NaN]'],
    [{ dtype: 'float32', shape: 3 }, 'odd: infer of y: shape must be whole numbers ≥ 0, got 3'],
    [
      { dtype: 'float23', shape: [3] },
      "odd: infer of y: expected a dtype among float32, int32, bool, got 'float23' (did you mean float32?)",
    ],
  ] as const)('%o is an error in our words', ([spec, message]) => {
    const op = defineOp({
      name: 'odd',
      operands: { x: 'tensor' },
      outputs: { y: 'tensor' },
      infer: () => ({ y: spec as never }),
      reference: () => undefined,
    });
    using x = full([3], 1);
    expect(() => op.apply({ x }, {})).toThrow(message);
  });
});
