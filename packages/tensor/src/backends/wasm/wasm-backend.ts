/** The wasm backend: compiled kernels on one linear memory, on one thread or several. */
import type { Backend, KernelCall } from '../../core/backend.ts';
import type { DataArray, DType, NdArray } from '../../core/dtype.ts';
import { TensorError } from '../../core/errors.ts';
import type { Op } from '../../core/op.ts';
import { registry } from '../../ops/registry.ts';
import type { Simd } from './builds.ts';
import type { Crew } from './crew.ts';
import type { KernelSignatures } from './generated/kernels.ts';
import { wasmKernels } from '../../ops/generated/wasm-kernels.ts';
import type { LinearMemory } from './linear-memory.ts';
import { wholeUnits } from './wasm-kernel.ts';
import type { KernelName, WasmBuffer, WasmDevice, WasmKernel, WasmTensor } from './wasm-kernel.ts';
import type { WasmFunction } from './web-assembly.ts';

/** What a user's own op brings as `kernels: { wasm }`: called with views of its tensors in linear memory. */
export type WasmUserKernel<Attrs> = (call: KernelCall<NdArray, Attrs>) => void;

/** Work below this, about 30 µs, stays on the calling thread: waking others takes as long. */
const worthSharing = 131_072;

interface Parts {
  readonly memory: LinearMemory;
  readonly kernels: Readonly<Record<string, WasmFunction>>;
  readonly names: readonly string[];
  readonly crew: Crew | undefined;
  readonly threads: number;
  readonly simd: Simd;
  /** Another bound than usual, for tests. */
  readonly worthSharing?: number | undefined;
}

const table: Readonly<Record<string, WasmKernel<never>>> = wasmKernels;
const builtIn: Readonly<Record<string, unknown>> = registry;

/** Bytes of linear memory. */
export interface WasmMemoryUse {
  /** Handed out now, and the most that were at one time. */
  readonly inUse: number;
  readonly peak: number;
  /** Where what was ever handed out ends. */
  readonly highWater: number;
  /** What the whole of it takes; it never shrinks. */
  readonly size: number;
}

/** Opened by `wasmBackend`, or by `openWasm` of the Node or browser entry, which have threads. */
export class WasmBackend implements Backend<WasmBuffer>, WasmDevice {
  readonly name = 'wasm';
  /** Threads that compute, the calling one included. */
  readonly threads: number;
  readonly simd: Simd;
  readonly #memory: LinearMemory;
  readonly #kernels: Readonly<Record<string, WasmFunction>>;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #crew: Crew | undefined;
  readonly #worthSharing: number;
  #running = 'launch';
  #closed = false;

  /** @internal */
  constructor({ memory, kernels, names, crew, threads, simd, worthSharing: bound = worthSharing }: Parts) {
    this.#memory = memory;
    this.#kernels = kernels;
    this.#numbers = new Map(names.map((name, number) => [name, number]));
    this.#crew = crew;
    this.#worthSharing = bound;
    this.threads = threads;
    this.simd = simd;
  }

  get device(): string {
    return `${this.threads} thread${this.threads === 1 ? '' : 's'}, ${this.simd} SIMD`;
  }

  get memory(): WasmMemoryUse {
    const { inUse, peak, highWater } = this.#memory.allocator;
    return { inUse, peak, highWater, size: this.#memory.memory.buffer.byteLength };
  }

  /** Ends the workers. Nothing runs afterwards; values can still be read. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#crew?.dismiss();
  }

  allocate(dtype: DType, length: number): WasmBuffer {
    return { dtype, length, pointer: this.#memory.allocator.allocate(length * 4) };
  }

  free({ pointer, length }: WasmBuffer): void {
    this.#memory.allocator.free(pointer, length * 4);
  }

  write(buffer: WasmBuffer, values: ArrayLike<number>): void {
    this.#view(buffer).set(values);
  }

  copy(from: WasmBuffer, to: WasmBuffer): void {
    this.#begin('copy');
    const units = wholeUnits({ buffer: to });
    this.launch('copy', units, units * 16, from.pointer, to.pointer);
  }

  read(buffer: WasmBuffer): Promise<DataArray> {
    return Promise.resolve(this.readNow(buffer));
  }

  readNow(buffer: WasmBuffer): DataArray {
    return this.#view(buffer).slice();
  }

  run<Attrs>(op: Op<string, Attrs>, call: KernelCall<WasmTensor, Attrs>): void {
    this.#begin(op.name);
    if (builtIn[op.name] === op) {
      (table[op.name] as WasmKernel<unknown>)(call, this);
      return;
    }
    const kernel = op.kernels?.wasm;
    if (typeof kernel !== 'function') {
      throw new TensorError(
        op.name,
        'backend',
        "expected a kernel for the wasm backend, got none (give defineOp kernels: { wasm: (call) => … }, called with typed-array views of inputs and outputs; the op's own reference has that form and runs there on one thread)",
      );
    }
    (kernel as WasmUserKernel<Attrs>)({
      inputs: call.inputs.map((tensor) => this.#onHost(tensor)),
      outputs: call.outputs.map((tensor) => this.#onHost(tensor)),
      attrs: call.attrs,
    });
  }

  /** Kernels have run when `run` returns. */
  synchronise(): Promise<void> {
    return Promise.resolve();
  }

  /** @internal */
  launch<Name extends KernelName>(
    kernel: Name,
    units: number,
    work: number,
    ...args: KernelSignatures[Name]
  ): void {
    if (this.#crew && work >= this.#worthSharing && units > 1) {
      this.#crew.launch(this.#running, this.#numbers.get(kernel)!, units, args);
    } else {
      this.#kernels[kernel](0, units, ...args);
    }
  }

  /** @internal */
  scratch(length: number, fn: (pointer: number) => void): void {
    const pointer = this.#memory.allocator.allocate(length * 4);
    try {
      fn(pointer);
    } finally {
      this.#memory.allocator.free(pointer, length * 4);
    }
  }

  /** @internal */
  table(values: readonly number[]): number {
    return this.#memory.table(values);
  }

  /** @internal */
  ints(pointer: number, length: number): Int32Array {
    return this.#memory.ints(pointer, length);
  }

  /** What runs from now on, for errors. */
  #begin(op: string): void {
    if (this.#closed) {
      throw new TensorError(op, 'backend', 'expected an open wasm backend, got one that was closed');
    }
    this.#running = op;
  }

  #view({ dtype, pointer, length }: WasmBuffer): Float32Array | Int32Array {
    return dtype === 'float32' ? this.#memory.floats(pointer, length) : this.#memory.ints(pointer, length);
  }

  #onHost({ shape, dtype, buffer }: WasmTensor): NdArray {
    return { shape, dtype, data: this.#view(buffer) };
  }
}
