/** Making tensors from values on the host. */
import { currentBackend } from '../core/backend.ts';
import type { Backend } from '../core/backend.ts';
import type { DataArray, DType, TensorSpec } from '../core/dtype.ts';
import { rejectUnknownOptions, showShape, TensorError } from '../core/errors.ts';
import { allocateTensor } from '../core/apply.ts';
import { checkShape, sizeOf } from '../core/shape.ts';
import type { Shape } from '../core/shape.ts';
import type { Tensor } from '../core/tensor.ts';
import { fill } from '../ops/fill/fill.op.ts';

/** What a tensor can be made of: a number or boolean, arrays of such nested to any depth, or a typed array. */
export type TensorValues = number | boolean | DataArray | readonly TensorValues[];

/** What `tensor` can be told about its values. */
export interface CreateOptions {
  /** float32 unless the values are an Int32Array (int32) or booleans (bool). */
  readonly dtype?: DType;
  /** For flat values; nested arrays have their own. */
  readonly shape?: Shape;
}

/**
 * A tensor of the given number, nested arrays, or typed array.
 *
 * @example
 * tensor([[1, 2], [3, 4]]); // [[1, 2], [3, 4]]
 * tensor(new Float32Array(6), { shape: [2, 3] });
 */
export function tensor(values: TensorValues, options: CreateOptions = {}): Tensor {
  rejectUnknownOptions('tensor', options, ['dtype', 'shape']);
  const { flat, shape: own, dtype: natural } = flatten(values);
  const shape = options.shape ?? own;
  const dtype = options.dtype ?? natural;
  checkShape('tensor', shape);
  if (sizeOf(shape) !== flat.length) {
    throw new TensorError(
      'tensor',
      'shape',
      `expected ${sizeOf(shape)} values for ${showShape(shape)}, got ${flat.length}`,
    );
  }
  checkValues(flat, dtype);
  return fromValues(currentBackend(), flat, { shape, dtype });
}

/** @internal Uploads values that are known to be right. */
export function fromValues(backend: Backend, values: ArrayLike<number>, spec: TensorSpec): Tensor {
  const result = allocateTensor(backend, spec);
  if (values.length > 0) backend.write(result.storageFor('tensor').buffer, values);
  return result;
}

/**
 * `value` everywhere.
 *
 * @example
 * full([2, 2], 7); // [[7, 7], [7, 7]]
 */
export function full(
  shape: Shape,
  value: number,
  { dtype = 'float32' }: { readonly dtype?: DType } = {},
): Tensor {
  return fill({ shape, dtype, value });
}

/**
 * 0 everywhere.
 *
 * @example
 * zeros([2, 1]); // [[0], [0]]
 */
export function zeros(shape: Shape, options: { readonly dtype?: DType } = {}): Tensor {
  return full(shape, 0, options);
}

/**
 * 1 everywhere.
 *
 * @example
 * ones([3]); // [1, 1, 1]
 */
export function ones(shape: Shape, options: { readonly dtype?: DType } = {}): Tensor {
  return full(shape, 1, options);
}

/**
 * 0, 1, …, count − 1.
 *
 * @example
 * arange(4); // [0, 1, 2, 3]
 */
export function arange(
  count: number,
  {
    dtype = 'float32',
    backend = currentBackend(),
  }: { readonly dtype?: DType; readonly backend?: Backend } = {},
): Tensor {
  checkShape('arange', [count]);
  const values = Int32Array.from({ length: count }, (_, i) => i);
  return fromValues(backend, values, { shape: [count], dtype });
}

/**
 * The identity matrix [n, n].
 *
 * @example
 * eye(2); // [[1, 0], [0, 1]]
 */
export function eye(n: number): Tensor {
  checkShape('eye', [n]);
  const values = new Float32Array(n * n);
  for (let i = 0; i < n; i++) values[i * n + i] = 1;
  return fromValues(currentBackend(), values, { shape: [n, n], dtype: 'float32' });
}

interface Flat {
  readonly flat: ArrayLike<number>;
  readonly shape: Shape;
  readonly dtype: DType;
}

function isDataArray(values: TensorValues): values is DataArray {
  return ArrayBuffer.isView(values);
}

function flatten(values: TensorValues): Flat {
  if (isDataArray(values)) {
    return {
      flat: values,
      shape: [values.length],
      dtype: values instanceof Int32Array ? 'int32' : 'float32',
    };
  }
  const shape: number[] = [];
  for (let level: TensorValues = values; Array.isArray(level); level = level[0] as TensorValues) {
    shape.push(level.length);
    if (level.length === 0) break;
  }
  const flat: number[] = [];
  let dtype: DType = 'float32';
  const visit = (value: TensorValues, path: readonly number[]): void => {
    const expected = shape[path.length];
    const extent = Array.isArray(value) ? value.length : undefined;
    if (extent !== expected) {
      const text = (n: number | undefined): string => (n === undefined ? 'a number' : `${n} entries`);
      throw new TensorError(
        'tensor',
        'shape',
        `expected ${text(expected)} at ${showShape(path)}, as elsewhere, got ${text(extent)}`,
      );
    }
    if (Array.isArray(value)) {
      value.forEach((item: TensorValues, i) => {
        visit(item, [...path, i]);
      });
      return;
    }
    if (typeof value === 'boolean') dtype = 'bool';
    else if (typeof value !== 'number') {
      throw new TensorError(
        'tensor',
        'dtype',
        `expected numbers or booleans, got ${typeof value} at ${showShape(path)}`,
      );
    }
    flat.push(Number(value));
  };
  visit(values, []);
  return { flat, shape, dtype };
}

function checkValues(values: ArrayLike<number>, dtype: DType): void {
  if (dtype === 'float32') return;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const fits = dtype === 'int32' ? (value | 0) === value : value === 0 || value === 1;
    if (!fits)
      throw new TensorError('tensor', 'dtype', `expected values that are ${dtype}, got ${value} at ${i}`);
  }
}
