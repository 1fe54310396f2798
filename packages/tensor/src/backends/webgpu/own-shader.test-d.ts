/** Type tests: these lines compile or fail to compile as marked; nothing runs. */
import type { DeviceBuffer } from '../../core/backend.ts';
import type { WebGpuLauncher } from '../../core/own-kernels.ts';
import { shader } from './own-shader.ts';

const scale = shader(
  'scale',
  `struct Params { count: u32, by: f32 }
  override power: u32 = 1u;
  @group(0) @binding(0) var<storage, read> x: array<f32>;
  @group(0) @binding(1) var<storage, read_write> y: array<f32>;
  @group(0) @binding(2) var<uniform> params: Params;
  @compute @workgroup_size(64) fn main() {}`,
);

declare const gpu: WebGpuLauncher;
declare const a: DeviceBuffer;
const buffers = { x: a, y: a };
const params = { count: 1, by: 2 };

gpu.dispatch(scale, { buffers, params, workgroups: 1 });
gpu.dispatch(scale, { buffers, params, constants: { power: 2 }, workgroups: 1 });

// @ts-expect-error: a buffer that is left out.
gpu.dispatch(scale, { buffers: { x: a }, params, workgroups: 1 });

// @ts-expect-error: a buffer that the WGSL does not name.
gpu.dispatch(scale, { buffers: { x: a, y: a, z: a }, params, workgroups: 1 });

// @ts-expect-error: a parameter that is left out.
gpu.dispatch(scale, { buffers, params: { count: 1 }, workgroups: 1 });

// @ts-expect-error: a misspelt parameter.
gpu.dispatch(scale, { buffers, params: { count: 1, by: 2, bye: 3 }, workgroups: 1 });

// @ts-expect-error: a misspelt constant.
gpu.dispatch(scale, { buffers, params, constants: { powder: 2 }, workgroups: 1 });

// @ts-expect-error: no workgroups.
gpu.dispatch(scale, { buffers, params });
