/**
 * What a backend is: memory and a way to run kernels. Everything else (shapes, gradients, lifetimes)
 * happens above it and is the same for all.
 */
import type { DataArray, DType, TensorSpec } from './dtype.ts';
import { TensorError } from './errors.ts';
import type { AnyOp } from './op.ts';
import type { AnyValues, Rows } from './operands.ts';

/** Memory on a device. Only the backend that made it looks inside. */
export interface DeviceBuffer {
  readonly dtype: DType;
  readonly length: number;
}

/** A tensor as a kernel sees it. */
export interface KernelTensor<Buffer extends DeviceBuffer = DeviceBuffer> extends TensorSpec {
  readonly buffer: Buffer;
}

/** One call of an op, by the names it declares. Outputs are allocated and never all empty; operands may be empty. */
export interface OpCall<T, R> {
  readonly op: AnyOp;
  readonly operands: AnyValues<T, R>;
  readonly outputs: AnyValues<T, never>;
  readonly attrs: unknown;
}

/** A call as a backend sees it. */
export type KernelCall<Buffer extends DeviceBuffer = DeviceBuffer> = OpCall<
  KernelTensor<Buffer>,
  Rows<KernelTensor<Buffer>>
>;

/** Calls are enqueued in order; only `read` and `synchronise` wait. */
export interface Backend<Buffer extends DeviceBuffer = DeviceBuffer> {
  readonly name: string;
  /** What it runs on, for people: `2 threads, relaxed SIMD`, or what the adapter calls itself. */
  readonly device: string;
  /** Room for `length` elements, contents undefined; `op` is named if there is none. */
  allocate(dtype: DType, length: number, op?: string): Buffer;
  free(buffer: Buffer): void;
  /** Copies `values` into the buffer before any later kernel reads it. */
  write(buffer: Buffer, values: ArrayLike<number>): void;
  /** Copies all of `from` into `to`, which is as long: after every earlier kernel, and before any later one. */
  copy(from: Buffer, to: Buffer): void;
  /** The values as they are at the time of the call, whatever is enqueued or freed afterwards. */
  read(buffer: Buffer): Promise<DataArray>;
  /** `read` without waiting, where the device allows it: lets `toString` show values. */
  readNow?(buffer: Buffer): DataArray;
  run(call: KernelCall<Buffer>): void;
  /** Resolves when everything enqueued has run; rejects with the first failure. */
  synchronise(): Promise<void>;
}

let current: Backend | undefined;

/**
 * Chooses the backend on which new tensors are made; returns the one chosen before.
 *
 * @example
 * const previous = setBackend(referenceBackend());
 * zeros([2]); // [0, 0]
 * setBackend(previous);
 */
export function setBackend(backend: Backend | undefined): Backend | undefined {
  const previous = current;
  current = backend;
  return previous;
}

/**
 * The backend on which new tensors are made. Raises if none was set.
 *
 * @example
 * const title = `${currentBackend().name} on ${currentBackend().device}`;
 */
export function currentBackend(): Backend {
  if (!current) {
    throw new TensorError(
      'setBackend',
      'backend',
      'no backend is chosen (call setBackend(await openBackend()) first)',
    );
  }
  return current;
}
