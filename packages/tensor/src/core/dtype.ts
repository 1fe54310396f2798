/**
 * Element types. `bool` is a mask of 0 and 1; every element of every dtype takes four bytes on a device,
 * so one buffer layout serves all backends.
 */
export type DType = 'float32' | 'int32' | 'bool';

/** What values look like on the host. Float64Array appears only on the float64 reference backend. */
export type DataArray = Float32Array | Float64Array | Int32Array;

export const bytesPerElement = 4;

/** A tensor without its values. */
export interface TensorSpec {
  readonly shape: readonly number[];
  readonly dtype: DType;
}

/** Host values with their shape: what reference kernels compute on. */
export interface NdArray extends TensorSpec {
  readonly data: DataArray;
}
