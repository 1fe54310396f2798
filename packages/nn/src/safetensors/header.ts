/** The header of a file: what it says of each tensor, before any of it is believed. */
import { unknownName } from '@flowgrad/tensor';
import { HeaderReader } from './header-reader.ts';
import { SafetensorsError } from './safetensors-error.ts';
import { isStoredDType, metadataKey, storedTypes } from './stored-tensor.ts';
import type { StoredDType } from './stored-tensor.ts';

/** How many bytes at the start of a file give the length of its header. */
export const lengthBytes = 8;

/** The longest header read or written. Real ones are kilobytes; the format itself stops at 100 MB. */
export const maxHeaderLength = 16 * 1024 * 1024;

export interface HeaderEntry {
  readonly dtype: StoredDType;
  readonly shape: readonly number[];
  /** Where its bytes begin and end, counted from the end of the header. */
  readonly begin: number;
  readonly end: number;
}

export interface Header {
  readonly entries: ReadonlyMap<string, HeaderEntry>;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Reads `{"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}`. */
export function readHeader(where: string, text: string): Header {
  const entries = new Map<string, HeaderEntry>();
  const metadata = new Map<string, string>();
  const reader = new HeaderReader(where, text);
  reader.object((name) => {
    if (name === metadataKey) {
      reader.object((key) => metadata.set(key, reader.string()));
      return;
    }
    reader.tensor = name;
    entries.set(name, readEntry(where, reader, name));
    reader.tensor = undefined;
  });
  reader.end();
  return { entries, metadata };
}

function readEntry(where: string, reader: HeaderReader, name: string): HeaderEntry {
  const fail = (message: string): never => {
    throw new SafetensorsError(where, message, name);
  };
  let dtype: string | undefined;
  let shape: number[] | undefined;
  let offsets: number[] | undefined;
  reader.object((field) => {
    if (field === 'dtype') dtype = reader.string();
    else if (field === 'shape') shape = reader.wholeNumbers();
    else if (field === 'data_offsets') offsets = reader.wholeNumbers();
    else fail(unknownName('fields', field, ['dtype', 'shape', 'data_offsets']));
  });
  if (dtype === undefined || shape === undefined || offsets === undefined) {
    return fail('expected the fields dtype, shape and data_offsets, got fewer');
  }
  if (!isStoredDType(dtype)) {
    return fail(unknownName('a dtype', dtype, Object.keys(storedTypes)));
  }
  if (offsets.length !== 2) return fail(`expected two data_offsets, got ${offsets.length}`);
  return { dtype, shape, begin: offsets[0], end: offsets[1] };
}
