/// <reference types="@webgpu/types" />
/** The WebGPU backend on a device, wherever the device comes from. */
import type { Backend, KernelCall } from '../../core/backend.ts';
import { bytesPerElement } from '../../core/dtype.ts';
import type { DataArray, DType } from '../../core/dtype.ts';
import { TensorError } from '../../core/errors.ts';
import type { AnyOp } from '../../core/op.ts';
import { webGpuKernels } from '../../ops/generated/webgpu-kernels.ts';
import { registry } from '../../ops/registry.ts';
import { BindGroups } from './bind-groups.ts';
import { BufferPool } from './buffer-pool.ts';
import { CommandStream } from './command-stream.ts';
import { Failures } from './failures.ts';
import type { GpuBuffer } from './gpu-buffer.ts';
import type { Dispatch, Launcher } from './kernel.ts';
import { effectiveLimits, splitWorkgroups } from './limits.ts';
import type { WebGpuLimits } from './limits.ts';
import { isWebGpuKernel } from './own-kernel.ts';
import type { AnyWebGpuKernel } from './own-kernel.ts';
import { launchOwnKernel } from './own-kernel-launch.ts';
import { Pipelines } from './pipelines.ts';
import type { Profile } from './profile.ts';
import { Profiler } from './profiler.ts';
import { ReadBack } from './read-back.ts';
import { constantsOf } from './shader.ts';
import type { Shader, ShaderConstants, ShaderParams } from './shader.ts';
import { UniformRing } from './uniform-ring.ts';
import type { AdapterDescription, WebGpuBackend, WebGpuCounters } from './webgpu-backend.ts';

/** Parameters of so many dispatches wait for one upload. */
const paramSlots = 512;

/** What of a GPUDevice the types of this package name, so that they need no DOM. */
export interface DeviceHandle {
  readonly lost: Promise<object>;
  destroy(): void;
}

/** What a backend on an open device has to know. */
export interface WebGpuBackendOptions {
  readonly adapter: AdapterDescription;
  /** Lower limits than the device has. */
  readonly limits?: Partial<WebGpuLimits>;
}

/**
 * The backend on an open GPUDevice, which it takes over. Most callers want `openWebGpu` of ./node or ./browser.
 *
 * @example
 * import { openDevice } from '@flowgrad/tensor/node';
 * const { device, adapter } = await openDevice({ adapter: 'software' });
 * setBackend(webGpuBackend(device, { adapter }));
 */
export function webGpuBackend(device: DeviceHandle, options: WebGpuBackendOptions): WebGpuBackend {
  return new WebGpuRuntime(device as GPUDevice, options);
}

type AnyKernel = (operands: never, outputs: never, gpu: Launcher, attrs: never) => void;
const table: Readonly<Record<string, AnyKernel>> = webGpuKernels;
const builtIn: Readonly<Record<string, unknown>> = registry;

class WebGpuRuntime implements Backend<GpuBuffer>, WebGpuBackend, Launcher {
  readonly name = 'webgpu';
  readonly device: string;
  readonly adapter: AdapterDescription;
  readonly limits: WebGpuLimits;
  readonly #device: GPUDevice;
  readonly #failures: Failures;
  readonly #pool: BufferPool;
  readonly #ring: UniformRing;
  readonly #pipelines: Pipelines;
  readonly #groups: BindGroups;
  readonly #stream: CommandStream;
  readonly #readBack: ReadBack;
  /** Of the kernel call that is being enqueued. */
  #op = '';
  #scratch: GpuBuffer[] = [];
  #profiler: Profiler | undefined;
  #dispatches = 0;
  /** Dispatches that warming up has met. */
  #foreseen = 0;
  #reads = 0;

  constructor(device: GPUDevice, { adapter, limits = {} }: WebGpuBackendOptions) {
    this.#device = device;
    this.adapter = adapter;
    this.device = adapter.name;
    this.limits = effectiveLimits(device.limits, limits);
    this.#failures = new Failures(device);
    this.#ring = new UniformRing(device, paramSlots);
    this.#pipelines = new Pipelines(device, this.#failures);
    this.#groups = new BindGroups(
      device,
      this.#failures,
      this.#ring.buffer,
      this.limits.maxStorageBufferBindingSize,
    );
    this.#stream = new CommandStream(device, this.#failures, this.#ring);
    this.#pool = new BufferPool(device, this.limits, this.#failures, {
      release: () => {
        this.#stream.flush();
      },
      forget: (memory) => {
        this.#groups.forget(memory);
      },
    });
    this.#readBack = new ReadBack(device, this.#stream, this.#failures);
  }

  allocate(dtype: DType, length: number, op = 'allocate'): GpuBuffer {
    this.#failures.requireDevice();
    return { dtype, length, memory: this.#pool.take(length * bytesPerElement, op) };
  }

  free({ memory }: GpuBuffer): void {
    if (!this.#failures.isLost) this.#pool.give(memory);
  }

  write({ dtype, length, memory }: GpuBuffer, values: ArrayLike<number>): void {
    this.#failures.requireDevice();
    if (length === 0) return;
    this.#stream.copyIn(memory, dtype === 'float32' ? Float32Array.from(values) : Int32Array.from(values));
  }

  copy(from: GpuBuffer, to: GpuBuffer): void {
    this.#failures.requireDevice();
    // WebGPU refuses to copy a buffer into itself.
    if (to.length === 0 || from.memory === to.memory || this.#pipelines.isWarmingUp) return;
    this.#stream.copy(from.memory, to.memory, to.length * bytesPerElement);
  }

  async read(buffer: GpuBuffer): Promise<DataArray> {
    this.#failures.check();
    this.#reads += 1;
    if (buffer.length > 0) return this.#readBack.read(buffer);
    return buffer.dtype === 'float32' ? new Float32Array() : new Int32Array();
  }

  run(call: KernelCall<GpuBuffer>): void {
    const { op, operands, outputs, attrs } = call;
    this.#failures.requireDevice();
    this.#op = op.name;
    try {
      if (builtIn[op.name] === op) table[op.name](operands as never, outputs as never, this, attrs as never);
      else launchOwnKernel(this, ownKernelOf(op), call);
    } finally {
      for (const buffer of this.#scratch) this.free(buffer);
      this.#scratch = [];
    }
  }

  async synchronise(): Promise<void> {
    this.#failures.check();
    this.#stream.flush();
    await Promise.race([this.#device.queue.onSubmittedWorkDone(), this.#failures.loss]);
    await this.#failures.settled();
  }

  scratch(length: number): GpuBuffer {
    const buffer = this.allocate('float32', length, this.#op);
    this.#scratch.push(buffer);
    return buffer;
  }

  dispatch<Buffers extends string, Params extends ShaderParams, Constants extends ShaderConstants>(
    shader: Shader<Buffers, Params, Constants>,
    { buffers, params, constants, workgroups, flops = 0 }: Dispatch<Buffers, Params, Constants>,
  ): void {
    const bound = shader.buffers.map(({ name }) => buffers[name]);
    this.launch(shader, bound, {
      constants: constantsOf(shader, (constants ?? {}) as ShaderConstants),
      workgroups,
      flops,
      writeParams: () => this.#ring.add(shader, params),
    });
  }

  /** Enqueues a kernel after checking what it asks of the device. */
  launch(
    shader: Shader<string, never>,
    buffers: readonly GpuBuffer[],
    call: {
      readonly constants: Readonly<Record<string, number>>;
      readonly workgroups: number;
      readonly flops: number;
      readonly writeParams: (ring: UniformRing) => number;
    },
  ): void {
    const grid = splitWorkgroups(this.#op, call.workgroups, this.limits);
    this.#checkBindings(shader, buffers);
    const compiled = this.#pipelines.get(shader, call.constants);
    if (this.#pipelines.isWarmingUp) this.#foreseen += 1;
    if (this.#pipelines.isWarmingUp || !compiled.pipeline) return;
    const memories = buffers.map(({ memory }) => memory);
    const group = this.#groups.get(shader.name, compiled, memories, shader.paramsSize);
    if (this.#profiler) {
      const bytes = buffers.reduce((total, { length }) => total + length * bytesPerElement, 0);
      this.#profiler.note({ op: this.#op, kernel: shader.name, bytes, flops: call.flops });
    }
    const paramsOffset = call.writeParams(this.#ring);
    this.#dispatches += 1;
    this.#stream.dispatch(
      { kernel: shader.name, pipeline: compiled.pipeline, group, paramsOffset, workgroups: grid },
      memories,
    );
  }

  async warmUp(step: () => void): Promise<{ readonly dispatches: number }> {
    this.#failures.check();
    this.#foreseen = 0;
    const compiling = this.#pipelines.warmUp(step);
    const dispatches = this.#foreseen;
    await compiling;
    await this.#failures.settled();
    return { dispatches };
  }

  async profile(step: () => void | Promise<void>): Promise<Profile> {
    this.#failures.check();
    this.#stream.flush();
    const profiler = new Profiler(this.#device);
    this.#profiler = profiler;
    this.#stream.observer = profiler;
    try {
      await step();
      this.#stream.flush();
    } finally {
      this.#profiler = undefined;
      this.#stream.observer = undefined;
    }
    return profiler.finish((staging, bytes) => this.#readBack.map(staging, bytes));
  }

  counters(): WebGpuCounters {
    return {
      dispatches: this.#dispatches,
      submissions: this.#stream.submissions,
      reads: this.#reads,
      pipelines: this.#pipelines.count,
      bindGroups: this.#groups.count,
      ...this.#pool.size,
    };
  }

  async close(): Promise<void> {
    this.#failures.markClosed();
    this.#device.destroy();
    // A closed backend that somebody still holds must not hold what the device made.
    this.#groups.clear();
    for (const part of [this.#stream, this.#pipelines, this.#pool, this.#readBack]) part.close();
    await this.#failures.loss;
  }

  #checkBindings(shader: Shader<string, never>, buffers: readonly GpuBuffer[]): void {
    const { maxStorageBuffersPerShaderStage: most, maxStorageBufferBindingSize: largest } = this.limits;
    if (buffers.length > most) {
      throw new TensorError(
        this.#op,
        'limit',
        `expected at most ${most} buffers in a kernel (maxStorageBuffersPerShaderStage), ` +
          `got ${buffers.length} in ${shader.name}`,
      );
    }
    buffers.forEach(({ length }, i) => {
      const bytes = length * bytesPerElement;
      if (bytes <= largest) return;
      throw new TensorError(
        this.#op,
        'limit',
        `expected at most ${largest} bytes in a tensor (maxStorageBufferBindingSize), ` +
          `got ${bytes} for ${shader.buffers[i].name} of ${shader.name}`,
      );
    });
  }
}

function ownKernelOf({ name, kernels }: AnyOp): AnyWebGpuKernel {
  const { webgpu } = (kernels ?? {}) as { readonly webgpu?: unknown };
  if (isWebGpuKernel(webgpu)) return webgpu;
  throw new TensorError(
    name,
    'backend',
    'expected a kernel for webgpu, got none (give defineOp kernels: { webgpu: webGpuKernel({ … }) })',
  );
}
