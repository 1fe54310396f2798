/** The wasm backend: compiled kernels on one linear memory, on one thread or several. */
import type { Backend, KernelCall } from '../../core/backend.ts';
import type { DataArray, DType, NdArray } from '../../core/dtype.ts';
import { TensorError } from '../../core/errors.ts';
import type { AnyHostKernel } from '../../core/own-kernels.ts';
import { rowsOf } from '../../core/operands.ts';
import type { Rows } from '../../core/operands.ts';
import { wasmKernels } from '../../ops/generated/wasm-kernels.ts';
import { registry } from '../../ops/registry.ts';
import { runOnHost } from '../reference/run-on-host.ts';
import type { Simd } from './builds.ts';
import type { Crew } from './crew.ts';
import { packArguments } from './generated/kernels.ts';
import type { LinearMemory } from './linear-memory.ts';
import { wholeUnits } from './wasm-kernel.ts';
import type {
  KernelArguments,
  KernelName,
  RowsToMake,
  WasmBuffer,
  WasmDevice,
  WasmTensor,
} from './wasm-kernel.ts';
import type { WasmFunction } from './web-assembly.ts';

/** Work below this, about 30 µs, stays on the calling thread: waking others takes as long. */
const worthSharing = 131_072;
/** Values of a tensor from which on the cache of a core does not hold it. */
const worthLeaving = 2 ** 18;

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

type AnyKernel = (operands: never, outputs: never, device: WasmDevice, attrs: never) => void;
const table: Readonly<Record<string, AnyKernel>> = wasmKernels;
const builtIn: Readonly<Record<string, unknown>> = registry;
const packers: Readonly<Record<string, (args: never) => number[]>> = packArguments;

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
  #left: { readonly op: string; readonly pointer: number; readonly rows: RowsToMake } | undefined;
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
    this.#makeLeft();
    this.#closed = true;
    await this.#crew?.dismiss();
  }

  allocate(dtype: DType, length: number): WasmBuffer {
    return { dtype, length, pointer: this.#memory.allocator.allocate(length * 4) };
  }

  free({ pointer, length }: WasmBuffer): void {
    this.#makeLeft();
    this.#memory.allocator.free(pointer, length * 4);
  }

  write(buffer: WasmBuffer, values: ArrayLike<number>): void {
    // Products read no integers, so that an index may come while one is left.
    const isIndex = buffer.dtype === 'int32';
    (isIndex ? this.ints(buffer.pointer, buffer.length) : this.#view(buffer)).set(values);
  }

  copy(from: WasmBuffer, to: WasmBuffer): void {
    this.#begin('copy');
    const units = wholeUnits({ buffer: to });
    this.launch('copy', units, units * 16, { x: from.pointer, y: to.pointer });
  }

  read(buffer: WasmBuffer): Promise<DataArray> {
    return Promise.resolve(this.readNow(buffer));
  }

  readNow(buffer: WasmBuffer): DataArray {
    return this.#view(buffer).slice();
  }

  run(call: KernelCall<WasmBuffer>): void {
    const { op, operands, outputs, attrs } = call;
    this.#begin(op.name);
    if (builtIn[op.name] === op) {
      table[op.name](operands as never, outputs as never, this, attrs as never);
      return;
    }
    const { wasm } = (op.kernels ?? {}) as { readonly wasm?: AnyHostKernel };
    if (!wasm) {
      throw new TensorError(
        op.name,
        'backend',
        "expected a kernel for the wasm backend, got none (give defineOp kernels: { wasm: (operands, outputs, attrs) => … }, called with typed-array views; the op's own reference has that form and runs there on one thread)",
      );
    }
    for (const rows of rowsOf(op.names.operands, operands)) uploadLists(rows);
    runOnHost(call, wasm, (tensor) => this.#onHost(tensor));
  }

  /** Kernels have run when `run` returns, but for rows that were left to the next. */
  synchronise(): Promise<void> {
    this.#makeLeft();
    return Promise.resolve();
  }

  /** @internal */
  launch<Name extends KernelName>(
    kernel: Name,
    units: number,
    work: number,
    args: KernelArguments<Name>,
  ): void {
    this.#makeLeft();
    const list = packers[kernel](args as never);
    if (this.#crew && work >= this.#worthSharing && units > 1) {
      this.#crew.launch(this.#running, this.#numbers.get(kernel)!, units, list);
    } else {
      this.#kernels[kernel](0, units, ...list);
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
    this.#makeLeft();
    return this.#memory.table(values);
  }

  /** @internal */
  leave({ pointer, length }: WasmBuffer, rows: RowsToMake): void {
    this.#makeLeft();
    this.#left = { op: this.#running, pointer, rows };
    if (length < worthLeaving) this.#makeLeft();
  }

  /** @internal */
  takeOver({ pointer }: WasmBuffer): RowsToMake | undefined {
    if (this.#left?.pointer !== pointer) return undefined;
    const { rows } = this.#left;
    this.#left = undefined;
    return rows;
  }

  /** Before anything looks at memory, or gives some back, what was left is made. */
  #makeLeft(): void {
    if (!this.#left) return;
    const { op, rows } = this.#left;
    const running = this.#running;
    this.#left = undefined;
    this.#running = op;
    rows.make((make) => {
      make(0, rows.count);
    });
    this.#running = running;
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
    this.#makeLeft();
    return dtype === 'float32' ? this.#memory.floats(pointer, length) : this.#memory.ints(pointer, length);
  }

  #onHost({ shape, dtype, buffer }: WasmTensor): NdArray {
    return { shape, dtype, data: this.#view(buffer) };
  }
}

/** Memory may move when it grows, so that what a user's kernel may ask for lies there before it gets views. */
function uploadLists({ ids, offsets, order, counts }: Rows<WasmTensor>): void {
  void [ids, offsets, order, counts];
}
