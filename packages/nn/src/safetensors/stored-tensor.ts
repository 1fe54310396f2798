/** What a safetensors file holds. */

/** The dtypes read and written here, and the host arrays that hold them. BOOL is a byte of 0 or 1. */
export const storedTypes = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
} as const;

/** The element types that a file can hold here, by safetensors' names. */
export type StoredDType = keyof typeof storedTypes;

interface Stored<DType extends StoredDType, Data> {
  readonly dtype: DType;
  readonly shape: readonly number[];
  /** Row-major values. After decoding they may share memory with the file's bytes: copy before writing to them. */
  readonly data: Data;
}

/** A tensor on the host; `dtype` tells which array `data` is. */
export type StoredTensor =
  | Stored<'F64', Float64Array>
  | Stored<'F32', Float32Array>
  | Stored<'I32', Int32Array>
  | Stored<'U8' | 'BOOL', Uint8Array>;

/** A decoded file. Maps rather than objects, so that no name has a meaning of its own. */
export interface Safetensors {
  readonly tensors: ReadonlyMap<string, StoredTensor>;
  readonly metadata: ReadonlyMap<string, string>;
}

export function isStoredDType(name: string): name is StoredDType {
  return Object.hasOwn(storedTypes, name);
}

/** The key of the header under which the format keeps its metadata. */
export const metadataKey = '__metadata__';

/** Whether `text` has half a surrogate pair, for which UTF-8 has no code. */
export function isBrokenText(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** What a name of a tensor or of a piece of metadata should have been, if `name` cannot be one. */
export function nameProblem(name: string): string | undefined {
  // Harmless in a Map, but not in an object that a reader may copy the names into.
  if (name === '__proto__') return "a name other than '__proto__'";
  return isBrokenText(name) ? 'a name of whole Unicode characters' : undefined;
}
