import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { grad } from '../../ops/grad/grad.ts';
import { setBackend } from '../../core/backend.ts';
import type { Backend } from '../../core/backend.ts';
import { defineOp } from '../../core/op.ts';
import { sizeOf } from '../../core/shape.ts';
import { full, tensor } from '../../create/create.ts';
import { openWebGpu } from '../../node/index.ts';
import { mul } from '../../ops/elementwise/binary.op.ts';
import { sum } from '../../ops/reduce/sum.op.ts';
import { webGpuKernel } from './own-kernel.ts';
import type { WebGpuKernel } from './own-kernel.ts';
import type { WebGpuBackend } from './webgpu-backend.ts';

interface ScaleAttrs {
  readonly by: number;
}

type ScaleKernel = WebGpuKernel<{ readonly x: 'tensor' }, { readonly y: 'tensor' }, ScaleAttrs>;

const scaleKernel: ScaleKernel = {
  wgsl: `
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
    }`,
  params: ({ x }, _outputs, { by }) => {
    const words = new Uint32Array([sizeOf(x.shape), 0]);
    new Float32Array(words.buffer)[1] = by;
    return words;
  },
  constants: () => ({ power: 2 }),
  workgroups: ({ x }) => Math.ceil(sizeOf(x.shape) / 64),
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

const broken = (name: string, change: Partial<ScaleKernel>): ReturnType<typeof scaling> =>
  scaling(name, webGpuKernel({ ...scaleKernel, ...change }));

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
    const scale = scaling('scale', webGpuKernel(scaleKernel));
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
    using y = scaling('scale', webGpuKernel(scaleKernel)).apply({ x }, { by: 2 }).y;
    expect(await y.data()).toEqual(new Float32Array(x.size).fill(4));
    await narrow.close();
  });

  it('that is missing is an error that says how to give one', () => {
    using x = full([3], 1);
    expect(() => scaling('lonely', undefined).apply({ x }, { by: 1 })).toThrow(
      /lonely: expected a kernel for webgpu, got none \(give defineOp kernels/,
    );
  });

  it('with unknown fields or too many parameters is an error', () => {
    expect(() => webGpuKernel({ ...scaleKernel, wgls: '' } as ScaleKernel)).toThrow(
      /expected options among wgsl, .*, got 'wgls'/,
    );
    using x = full([3], 1);
    const fat = broken('fat', { params: () => new Float32Array(65) });
    expect(() => fat.apply({ x }, { by: 1 })).toThrow(
      'fat: expected at most 256 bytes of parameters, got 260',
    );
  });
});

describe('validation errors', () => {
  const mistakes: Record<string, Partial<ScaleKernel>> = {
    syntax: { wgsl: 'this is not WGSL' },
    'a missing entry point': { wgsl: scaleKernel.wgsl.replace('fn main', 'fn other') },
    'a binding the op does not give': { wgsl: scaleKernel.wgsl.replace('@binding(2)', '@binding(7)') },
    'an unknown constant': { constants: () => ({ strength: 2 }) },
    'an input that is written': {
      wgsl: scaleKernel.wgsl.replace('<storage, read> x', '<storage, read_write> x'),
    },
  };

  it.for(Object.entries(mistakes))(
    '%s: an exception that names the kernel, and a silent console',
    async ([, change]) => {
      const said = (['error', 'warn', 'log', 'info'] as const).map((level) =>
        vi.spyOn(console, level).mockImplementation(() => undefined),
      );
      const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
      using x = full([3], 1);
      using y = broken('mistaken', change).apply({ x }, { by: 1 }).y;
      const expected = { code: 'kernel', op: 'mistaken', name: 'TensorError' };
      await expect(y.data()).rejects.toMatchObject(expected);
      // It stays: nothing that was computed since can be trusted.
      await expect(x.data()).rejects.toMatchObject(expected);
      await expect(backend.synchronise()).rejects.toMatchObject(expected);
      for (const spy of [...said, stderr]) {
        expect(spy).not.toHaveBeenCalled();
        spy.mockRestore();
      }
    },
  );

  it('warmUp reports them too', async () => {
    using x = full([3], 1);
    const op = broken('mistaken', { wgsl: 'this is not WGSL' });
    const warming = backend.warmUp(() => {
      op.apply({ x }, { by: 1 }).y.dispose();
    });
    await expect(warming).rejects.toMatchObject({ code: 'kernel', op: 'mistaken' });
  });
});
