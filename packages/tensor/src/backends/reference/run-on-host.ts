/** Calls plain loops over host arrays: an op's reference, or the kernel that a user wrote for linear memory. */
import type { DeviceBuffer, KernelCall, KernelTensor } from '../../core/backend.ts';
import type { NdArray } from '../../core/dtype.ts';
import { mapValues } from '../../core/operands.ts';
import type { Rows } from '../../core/operands.ts';
import type { AnyHostKernel } from '../../core/own-kernels.ts';

export function runOnHost<Buffer extends DeviceBuffer>(
  { op: { names }, operands, outputs, attrs }: KernelCall<Buffer>,
  kernel: AnyHostKernel,
  onHost: (tensor: KernelTensor<Buffer>) => NdArray,
): void {
  const arrays = mapValues(names.operands, operands, onHost, (rows) => new HostRows(rows, onHost));
  const results = mapValues(names.outputs, outputs, onHost, () => undefined);
  kernel(arrays as never, results as never, attrs as never);
}

/** Only the lists that the loops ask for are made. */
class HostRows<T> implements Rows<NdArray> {
  readonly #index: Rows<T>;
  readonly #onHost: (list: T) => NdArray;

  constructor(index: Rows<T>, onHost: (list: T) => NdArray) {
    this.#index = index;
    this.#onHost = onHost;
  }

  get rows(): number {
    return this.#index.rows;
  }

  get length(): number {
    return this.#index.length;
  }

  get longest(): number {
    return this.#index.longest;
  }

  get sorted(): boolean {
    return this.#index.sorted;
  }

  get ids(): NdArray {
    return this.#onHost(this.#index.ids);
  }

  get offsets(): NdArray {
    return this.#onHost(this.#index.offsets);
  }

  get order(): NdArray {
    return this.#onHost(this.#index.order);
  }

  get counts(): NdArray {
    return this.#onHost(this.#index.counts);
  }
}
