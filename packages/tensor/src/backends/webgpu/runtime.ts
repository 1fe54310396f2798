/// <reference types="@webgpu/types" />
/** The WebGPU backend on a device, wherever the device comes from. */
import type { Backend, KernelCall } from '../../core/backend.ts';
import { bytesPerElement } from '../../core/dtype.ts';
import type { DataArray, DType } from '../../core/dtype.ts';
import { TensorError } from '../../core/errors.ts';
import type { AnyOp } from '../../core/op.ts';
import type { Dispatch } from '../../core/own-kernels.ts';
import type { Shader, ShaderConstants, ShaderParams } from '../../core/shader.ts';
import { webGpuKernels } from '../../ops/generated/webgpu-kernels.ts';
import { registry } from '../../ops/registry.ts';
import { BindGroups } from './bind-groups.ts';
import { BufferPool } from './buffer-pool.ts';
import { CommandStream } from './command-stream.ts';
import { Failures } from './failures.ts';
import type { Trial } from './failures.ts';
import type { GpuBuffer, Memory } from './gpu-buffer.ts';
import { checkDispatch } from './check-dispatch.ts';
import { bufferOf } from './kernel.ts';
import type { GpuOperand, Launcher } from './kernel.ts';
import { effectiveLimits, splitWorkgroups } from './limits.ts';
import type { WebGpuLimits } from './limits.ts';
import { constantsOf } from './override-constants.ts';
import { Pipelines } from './pipelines.ts';
import type { Profile } from './profile.ts';
import { Profiler } from './profiler.ts';
import { ReadBack } from './read-back.ts';
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
  /** The call itself, if its op is a user's own. */
  #ownCall: KernelCall<GpuBuffer> | undefined;
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
    const memory = this.#pool.take(length * bytesPerElement, op);
    memory.trials = undefined;
    return { dtype, length, memory };
  }

  free({ memory }: GpuBuffer): void {
    if (!this.#failures.isLost) this.#pool.give(memory);
  }

  write({ dtype, length, memory }: GpuBuffer, values: ArrayLike<number>): void {
    this.#failures.requireDevice();
    if (length === 0) return;
    memory.trials = undefined;
    this.#stream.copyIn(memory, dtype === 'float32' ? Float32Array.from(values) : Int32Array.from(values));
  }

  copy(from: GpuBuffer, to: GpuBuffer): void {
    this.#failures.requireDevice();
    // WebGPU refuses to copy a buffer into itself.
    if (to.length === 0 || from.memory === to.memory || this.#pipelines.isWarmingUp) return;
    to.memory.trials = from.memory.trials;
    this.#stream.copy(from.memory, to.memory, to.length * bytesPerElement);
  }

  async read(buffer: GpuBuffer): Promise<DataArray> {
    this.#failures.check();
    this.#reads += 1;
    if (buffer.length === 0) return buffer.dtype === 'float32' ? new Float32Array() : new Int32Array();
    const { trials } = buffer.memory;
    const values = await this.#readBack.read(buffer);
    if (trials) this.#failures.checkTrials(trials);
    return values;
  }

  run(call: KernelCall<GpuBuffer>): void {
    const { op, operands, outputs, attrs } = call;
    this.#failures.requireDevice();
    this.#op = op.name;
    try {
      const isBuiltIn = builtIn[op.name] === op;
      if (!isBuiltIn) this.#ownCall = call;
      const kernel = isBuiltIn ? table[op.name] : ownKernelOf(op);
      kernel(operands as never, outputs as never, this, attrs as never);
    } finally {
      this.#ownCall = undefined;
      for (const buffer of this.#scratch) this.free(buffer);
      this.#scratch = [];
    }
  }

  async synchronise(): Promise<void> {
    this.#failures.check();
    this.#stream.flush();
    await Promise.race([this.#device.queue.onSubmittedWorkDone(), this.#failures.loss]);
    await this.#failures.settled();
    this.#failures.checkUntold();
  }

  scratch(length: number): GpuBuffer {
    const buffer = this.allocate('float32', length, this.#op);
    this.#scratch.push(buffer);
    return buffer;
  }

  /** Enqueues a kernel after checking what it asks of the device. */
  dispatch<Buffers extends string, Params extends ShaderParams, Constants extends ShaderConstants>(
    shader: Shader<Buffers, Params, Constants>,
    call: Dispatch<Buffers, Params, Constants, GpuOperand>,
  ): void {
    if (this.#ownCall) checkDispatch(shader, call, this.#ownCall);
    const grid = splitWorkgroups(this.#op, call.workgroups, this.limits);
    const buffers = shader.buffers.map(({ name }) => bufferOf(call.buffers[name]));
    this.#checkBindings(shader, buffers);
    const compiled = this.#pipelines.get(
      shader,
      constantsOf(shader, (call.constants ?? {}) as ShaderConstants),
    );
    if (this.#pipelines.isWarmingUp) this.#foreseen += 1;
    if (this.#pipelines.isWarmingUp || !compiled.pipeline) return;
    const { trial } = compiled;
    if (trial?.failure) throw trial.failure;
    const memories = buffers.map(({ memory }) => memory);
    const group = this.#groups.get(shader.name, compiled, memories, shader.paramsSize);
    if (this.#profiler) {
      const bytes = buffers.reduce((total, { length }) => total + length * bytesPerElement, 0);
      this.#profiler.note({ op: this.#op, kernel: shader.name, bytes, flops: call.flops ?? 0 });
    }
    // A kernel that the device may refuse is submitted by itself: it would take the others of its batch with it.
    const isTried = trial?.isOver === false;
    if (isTried) this.#stream.flush();
    const paramsOffset = this.#ring.add(shader, call.params);
    this.#dispatches += 1;
    this.#stream.dispatch({ pipeline: compiled.pipeline, group, paramsOffset, workgroups: grid }, memories);
    if (isTried) this.#stream.flush(trial);
    noteTrials(shader, memories, isTried ? trial : undefined);
  }

  async warmUp(step: () => void): Promise<{ readonly dispatches: number }> {
    this.#failures.check();
    this.#foreseen = 0;
    const compiling = this.#pipelines.warmUp(step);
    const dispatches = this.#foreseen;
    await compiling;
    await this.#failures.settled();
    this.#failures.checkUntold();
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

/** What a kernel writes comes from the first uses of users' kernels that what it was given came from, and from its own. */
function noteTrials(
  shader: Shader<string, never>,
  memories: readonly Memory[],
  trial: Trial | undefined,
): void {
  if (!trial && memories.every(({ trials }) => trials === undefined)) return;
  const all = new Set([...memories.flatMap(({ trials }) => trials ?? []), ...(trial ? [trial] : [])]);
  const open = [...all].filter(({ isOver, failure }) => !isOver || failure);
  for (const [i, { access }] of shader.buffers.entries()) {
    if (access === 'read_write') memories[i].trials = open.length > 0 ? open : undefined;
  }
}

function ownKernelOf({ name, kernels }: AnyOp): AnyKernel {
  const { webgpu } = (kernels ?? {}) as { readonly webgpu?: unknown };
  if (typeof webgpu === 'function') return webgpu as AnyKernel;
  throw new TensorError(
    name,
    'backend',
    'expected a kernel for webgpu, got none (give defineOp kernels: { webgpu: (operands, outputs, gpu, attrs) => … })',
  );
}
