/// <reference lib="esnext.disposable" preserve="true" />
/** The value that everything computes on: a shape, a dtype, and memory on a backend. */
import type { Backend, DeviceBuffer, KernelTensor } from './backend.ts';
import type { DataArray, DType, TensorSpec } from './dtype.ts';
import { showShape, showSpec, TensorError } from './errors.ts';
import { formatValues, nest } from './format.ts';
import type { NestedNumbers } from './format.ts';
import { innermostScope, ScopedValue } from './scope.ts';
import { sizeOf } from './shape.ts';
import type { Storage } from './storage.ts';

let nextKey = 1;

interface TensorOptions {
  /** Names the value on tapes; aliases of one value share it. */
  readonly key?: number;
  readonly isParameter?: boolean;
  readonly origin?: Tensor;
}

/**
 * An immutable n-dimensional array on a backend. Made by `tensor`, `zeros`, … and by ops, never with `new`.
 * Only parameters and optimiser state change in place, through `assign` and `adamUpdate`.
 */
export class Tensor extends ScopedValue implements KernelTensor {
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly isParameter: boolean;
  /** @internal */
  readonly key: number;
  /** @internal The tensor this is an alias of, or itself. */
  readonly origin: Tensor;
  readonly #storage: Storage;
  readonly #version: number;
  #disposedBy: string | undefined;

  /** @internal Takes over one ownership of `storage`. */
  constructor(storage: Storage, spec: TensorSpec, options: TensorOptions = {}) {
    super();
    this.#storage = storage;
    this.#version = storage.version;
    this.shape = Object.isFrozen(spec.shape) ? spec.shape : Object.freeze([...spec.shape]);
    this.dtype = spec.dtype;
    this.key = options.key ?? nextKey++;
    this.isParameter = options.isParameter ?? false;
    this.origin = options.origin ?? this;
    innermostScope()?.own(this);
  }

  get rank(): number {
    return this.shape.length;
  }

  get size(): number {
    return sizeOf(this.shape);
  }

  get backend(): Backend {
    return this.#storage.backend;
  }

  get disposed(): boolean {
    return this.#disposedBy !== undefined;
  }

  /** The values, flat and row-major. */
  async data(): Promise<DataArray> {
    const storage = this.storageFor('data');
    return storage.backend.read(storage.buffer);
  }

  /** The only value of a tensor of size 1. */
  async item(): Promise<number> {
    if (this.size !== 1) {
      throw new TensorError(
        'item',
        'shape',
        `expected a tensor of one element, got ${showShape(this.shape)}`,
      );
    }
    return (await this.data())[0];
  }

  /** The values as nested arrays; a bare number for a scalar. */
  async toArray(): Promise<NestedNumbers> {
    return nest(await this.data(), this.shape);
  }

  /** Frees the memory, unless another tensor shares it. Safe to call twice. */
  override dispose(by = 'dispose()'): void {
    if (this.disposed) return;
    this.#disposedBy = by;
    this.owner?.disown(this);
    this.#storage.release();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Shape, dtype and a cut view of the values, for people. */
  async show(): Promise<string> {
    return `${this.#title()}\n${formatValues(await this.data(), this.shape, this.dtype)}`;
  }

  /** As `show`, as far as the backend can read without waiting. */
  override toString(): string {
    if (this.disposed) return `${this.#title()} freed by ${this.#disposedBy}`;
    const { backend, buffer } = this.#storage;
    if (!backend.readNow) return `${this.#title()} on ${backend.name} (await show() for the values)`;
    return `${this.#title()}\n${formatValues(backend.readNow(buffer), this.shape, this.dtype)}`;
  }

  #title(): string {
    return `${this.isParameter ? 'parameter' : 'tensor'} ${showSpec(this)}`;
  }

  /** @internal Raises, naming `user`, if this was freed. */
  requireLive(user: string): void {
    if (this.#disposedBy === undefined) return;
    throw new TensorError(
      user,
      'disposed',
      `expected a live tensor, got ${showSpec(this)} freed by ${this.#disposedBy}`,
    );
  }

  /** @internal The memory, for `user`, which is named if it was freed. */
  storageFor(user: string): Storage {
    this.requireLive(user);
    return this.#storage;
  }

  /** @internal As kernels see it: those are called when all operands are known to be alive. */
  get buffer(): DeviceBuffer {
    return this.#storage.buffer;
  }

  /** @internal Another owner of the same value: what a tape saves, and what outlives its maker's scope. */
  alias(user: string): Tensor {
    const { key, isParameter, origin } = this;
    return new Tensor(this.storageFor(user).retain(), this, { key, isParameter, origin });
  }

  /** @internal The same memory as a new value, unknown to any tape. */
  view(user: string, shape: readonly number[]): Tensor {
    return new Tensor(this.storageFor(user).retain(), { shape, dtype: this.dtype });
  }

  /** @internal Who overwrote the memory since this tensor was made, if anyone did. */
  overwrittenBy(): string | undefined {
    return this.#storage.version === this.#version ? undefined : this.#storage.lastWriter;
  }
}
