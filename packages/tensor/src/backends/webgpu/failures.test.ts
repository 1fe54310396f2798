/// <reference types="@webgpu/types" />
import { describe, expect, it } from 'vitest';
import { BufferPool } from './buffer-pool.ts';
import { Failures } from './failures.ts';
import { shaders } from './generated/shaders.ts';
import { effectiveLimits } from './limits.ts';
import { Pipelines } from './pipelines.ts';

class GPUOutOfMemoryError {
  readonly message = 'no room';
}

/** A device whose memory is exhausted, as WebGPU tells it: late, and only to those who ask. */
function fullDevice(): GPUDevice {
  return {
    lost: new Promise(() => undefined),
    limits: {
      maxComputeWorkgroupsPerDimension: 65535,
      maxStorageBufferBindingSize: 2 ** 27,
      maxStorageBuffersPerShaderStage: 8,
      maxBufferSize: 2 ** 28,
    },
    addEventListener: () => undefined,
    pushErrorScope: () => undefined,
    popErrorScope: () => Promise.resolve(new GPUOutOfMemoryError()),
    createBuffer: () => ({ destroy: () => undefined }),
  } as unknown as GPUDevice;
}

describe('a device without memory', () => {
  it('raises an error that names the op, at the next call that waits, and ever after', async () => {
    const device = fullDevice();
    const failures = new Failures(device);
    const users = { release: () => undefined, forget: () => undefined };
    const pool = new BufferPool(device, effectiveLimits(device.limits, {}), failures, users);
    pool.take(1000, 'matmul');
    failures.check();
    const expected = {
      code: 'memory',
      op: 'matmul',
      message: /^matmul: the device has no memory left.*no room/,
    };
    await expect(failures.settled()).rejects.toMatchObject({ code: expected.code, op: expected.op });
    await expect(failures.settled()).rejects.toThrow(expected.message);
    expect(() => {
      failures.check();
    }).toThrow(expected.message);
  });

  it('names what no scope caught by the label of the kernel in the message', () => {
    const failures = new Failures(fullDevice());
    failures.record({ message: 'invalid: [ComputePipeline "kernel gru-gates"]' }, undefined);
    expect(() => {
      failures.check();
    }).toThrow(/^gru-gates: the device refused it/);
  });
});

describe('a device that never answers', () => {
  const never = new Promise<never>(() => undefined);
  const mute = (): GPUDevice => ({
    ...fullDevice(),
    lost: never,
    popErrorScope: () => never,
    createComputePipelineAsync: () => never,
  });

  it('holds up nobody once the backend is closed', async () => {
    const failures = new Failures(mute());
    failures.watch(never, () => 'matmul');
    const waits = expect(failures.settled()).rejects.toThrow('the backend was closed');
    failures.markClosed();
    await waits;
    await failures.loss;
  });

  it('nor who waits for pipelines', async () => {
    const device = {
      ...mute(),
      createShaderModule: () => ({}),
      createBindGroupLayout: () => ({}),
      createPipelineLayout: () => ({}),
    } as unknown as GPUDevice;
    const failures = new Failures(device);
    const pipelines = new Pipelines(device, failures);
    const warming = pipelines.warmUp(() => {
      pipelines.get(shaders.fill, {});
    });
    failures.markClosed();
    await warming;
    await expect(failures.settled()).rejects.toThrow('the backend was closed');
  });
});
