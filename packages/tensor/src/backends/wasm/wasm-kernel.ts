/** What the launcher of a kernel looks like: picks sizes, and starts compiled code. Beside each op, `*.wasm.ts`. */
import type { DeviceBuffer, KernelTensor } from '../../core/backend.ts';
import type { KernelOf } from '../../core/op.ts';
import type { Rows } from '../../core/operands.ts';
import type { KernelTable } from '../../ops/registry.ts';
import type { packArguments } from './generated/kernels.ts';

export interface WasmBuffer extends DeviceBuffer {
  /** Byte offset in linear memory, a multiple of 64. */
  readonly pointer: number;
}

export type WasmTensor = KernelTensor<WasmBuffer>;
export type WasmRows = Rows<WasmTensor>;
export type KernelName = keyof typeof packArguments;
/** What a compiled kernel takes, by the names of its own parameters. */
export type KernelArguments<Name extends KernelName> = Parameters<(typeof packArguments)[Name]>[0];

/** Rows of a tensor that are still to be made. */
export interface RowsToMake {
  readonly count: number;
  /** Calls `fn` with what makes rows first … last − 1. */
  make(fn: (rows: (first: number, last: number) => void) => void): void;
}

/** What launchers may do. */
export interface WasmDevice {
  readonly threads: number;
  /**
   * Computes units 0 … units − 1 of a compiled kernel and returns when it is done. `work` is roughly the number of
   * vector operations: little work stays on the calling thread.
   */
  launch<Name extends KernelName>(
    kernel: Name,
    units: number,
    work: number,
    args: KernelArguments<Name>,
  ): void;
  /** Memory for `length` values of four bytes while `fn` runs. */
  scratch(length: number, fn: (pointer: number) => void): void;
  /** A few whole numbers for the next launch; see `LinearMemory.table`. */
  table(values: readonly number[]): number;
  /**
   * Leaves the rows of a large tensor to the next op, which may make them little by little, each while it is needed: then they are
   * read from the cache. If it does not take them over they are made before it starts.
   */
  leave(buffer: WasmBuffer, rows: RowsToMake): void;
  /** The rows that the op before has left, if these are the tensor's. */
  takeOver(buffer: WasmBuffer): RowsToMake | undefined;
  /** A view, valid until something is allocated. */
  ints(pointer: number, length: number): Int32Array;
}

/** The launcher of an op. */
export type WasmKernel<Op> = KernelOf<Op, WasmBuffer, WasmDevice>;

export type WasmKernelTable = KernelTable<WasmBuffer, WasmDevice>;

/** Buffers are whole units of 64 bytes, so that elementwise kernels have no remainder. */
export function wholeUnits({ buffer }: Pick<WasmTensor, 'buffer'>): number {
  return Math.ceil(buffer.length / 16);
}
