/** What the launcher of a kernel looks like: picks sizes, and starts compiled code. Beside each op, `*.wasm.ts`. */
import type { DeviceBuffer, KernelCall, KernelTensor } from '../../core/backend.ts';
import type { AttrsOf } from '../../core/op.ts';
import type { OpName, registry } from '../../ops/registry.ts';
import type { KernelSignatures } from './generated/kernels.ts';

export interface WasmBuffer extends DeviceBuffer {
  /** Byte offset in linear memory, a multiple of 64. */
  readonly pointer: number;
}

export type WasmTensor = KernelTensor<WasmBuffer>;
export type KernelName = keyof KernelSignatures;

/** What launchers may do. */
export interface WasmDevice {
  /**
   * Computes units 0 … units − 1 of a compiled kernel and returns when it is done. `work` is roughly the number of
   * vector operations: little work stays on the calling thread.
   */
  launch<Name extends KernelName>(
    kernel: Name,
    units: number,
    work: number,
    ...args: KernelSignatures[Name]
  ): void;
  /** Memory for `length` values of four bytes while `fn` runs. */
  scratch(length: number, fn: (pointer: number) => void): void;
  /** A few whole numbers for the next launch; see `LinearMemory.table`. */
  table(values: readonly number[]): number;
  /** A view, valid until something is allocated. */
  ints(pointer: number, length: number): Int32Array;
}

export type WasmKernel<Attrs> = (call: KernelCall<WasmTensor, Attrs>, device: WasmDevice) => void;

/** An op without a kernel does not compile. */
export type WasmKernelTable = {
  readonly [Name in OpName]: WasmKernel<AttrsOf<(typeof registry)[Name]>>;
};

/** Buffers are whole units of 64 bytes, so that elementwise kernels have no remainder. */
export function wholeUnits({ buffer }: Pick<WasmTensor, 'buffer'>): number {
  return Math.ceil(buffer.length / 16);
}
