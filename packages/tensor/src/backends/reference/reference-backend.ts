/** The reference backend: each op's own plain loops over host arrays. Defines what is right; not made for speed. */
import type { Backend, DeviceBuffer, KernelCall, KernelTensor } from '../../core/backend.ts';
import type { DataArray, DType, NdArray } from '../../core/dtype.ts';
import { expectOneOf, rejectUnknownOptions, TensorError } from '../../core/errors.ts';
import type { AnyOp } from '../../core/op.ts';
import type { AnyHostKernel } from '../../core/own-kernels.ts';
import { references } from '../../ops/generated/references.ts';
import { runOnHost } from './run-on-host.ts';

interface HostBuffer extends DeviceBuffer {
  readonly data: DataArray;
}

/** What the reference backend can be told. */
export interface ReferenceOptions {
  /** float64 stores and computes every float32 tensor in double precision, for checks. */
  readonly precision?: 'float32' | 'float64';
}

/**
 * The backend whose plain loops define what every op computes. Slow, and the same everywhere.
 *
 * @example
 * const previous = setBackend(referenceBackend({ precision: 'float64' }));
 */
export function referenceBackend(options: ReferenceOptions = {}): Backend {
  rejectUnknownOptions('referenceBackend', options, ['precision']);
  const { precision = 'float32' } = options;
  expectOneOf('referenceBackend', 'precision', precision, ['float32', 'float64']);
  return new ReferenceBackend(precision === 'float64' ? Float64Array : Float32Array);
}

class ReferenceBackend implements Backend<HostBuffer> {
  readonly name = 'reference';
  readonly device: string;
  readonly #Float: typeof Float32Array | typeof Float64Array;

  constructor(Float: typeof Float32Array | typeof Float64Array) {
    this.#Float = Float;
    this.device = Float === Float64Array ? 'plain loops in float64' : 'plain loops';
  }

  allocate(dtype: DType, length: number): HostBuffer {
    return { dtype, length, data: dtype === 'float32' ? new this.#Float(length) : new Int32Array(length) };
  }

  free(): void {
    // The garbage collector does it.
  }

  write(buffer: HostBuffer, values: ArrayLike<number>): void {
    buffer.data.set(values);
  }

  copy(from: HostBuffer, to: HostBuffer): void {
    to.data.set(from.data);
  }

  read(buffer: HostBuffer): Promise<DataArray> {
    return Promise.resolve(this.readNow(buffer));
  }

  readNow(buffer: HostBuffer): DataArray {
    return buffer.data.slice();
  }

  run(call: KernelCall<HostBuffer>): void {
    runOnHost(call, loopsOf(call.op), onHost);
  }

  synchronise(): Promise<void> {
    return Promise.resolve();
  }
}

const table: Readonly<Partial<Record<string, AnyHostKernel>>> = references;

function loopsOf({ name, reference }: AnyOp): AnyHostKernel {
  const loops = reference === 'beside' ? table[name] : reference;
  if (loops) return loops;
  throw new TensorError(
    name,
    'backend',
    'expected a reference, got none beside it (give defineOp reference: (operands, outputs, attrs) => …)',
  );
}

function onHost({ shape, dtype, buffer }: KernelTensor<HostBuffer>): NdArray {
  return { shape, dtype, data: buffer.data };
}
