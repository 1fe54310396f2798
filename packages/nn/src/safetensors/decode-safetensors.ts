import { lengthBytes, maxHeaderLength, readHeader } from './header.ts';
import type { HeaderEntry } from './header.ts';
import { checkLayout } from './layout.ts';
import { SafetensorsError } from './safetensors-error.ts';
import { storedTypes } from './stored-tensor.ts';
import type { Safetensors, StoredDType, StoredTensor } from './stored-tensor.ts';
import { decodeUtf8 } from './utf8.ts';

const where = 'decodeSafetensors';

/**
 * Reads a safetensors file: the length N of the header (8 bytes), a header of JSON (N bytes), and the tensors' bytes,
 * all little-endian, which the machine must be too.
 *
 * The file is not trusted. Every claim is checked before it is used, a wrong one raises a SafetensorsError that
 * names the tensor, and what is allocated grows with the file's length, never with what it claims: arrays are views
 * of `bytes`, or copies where a tensor does not lie on a multiple of its element size.
 */
export function decodeSafetensors(bytes: Uint8Array): Safetensors {
  if (!(bytes instanceof Uint8Array)) {
    throw new SafetensorsError(where, `expected a Uint8Array, got ${Object.prototype.toString.call(bytes)}`);
  }
  const dataStart = lengthBytes + headerLength(bytes);
  const { entries, metadata } = readHeader(where, headerText(bytes.subarray(lengthBytes, dataStart)));
  const data = bytes.subarray(dataStart);
  checkLayout(where, entries, data.length);
  const tensors = new Map<string, StoredTensor>();
  for (const [name, entry] of entries) tensors.set(name, readTensor(name, entry, data));
  return { tensors, metadata };
}

function headerLength(bytes: Uint8Array): number {
  if (bytes.length < lengthBytes) {
    throw new SafetensorsError(where, `expected at least ${lengthBytes} bytes, got ${bytes.length}`);
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset, lengthBytes).getBigUint64(0, true);
  if (length > maxHeaderLength) {
    throw new SafetensorsError(where, `expected a header of at most ${maxHeaderLength} bytes, got ${length}`);
  }
  const rest = bytes.length - lengthBytes;
  if (length > rest) {
    throw new SafetensorsError(where, `expected a header of ${length} bytes, got a file with ${rest} left`);
  }
  return Number(length);
}

function headerText(bytes: Uint8Array): string {
  // JSON may begin with space, a safetensors header may not.
  if (bytes[0] !== 0x7b) {
    throw new SafetensorsError(
      where,
      `expected a header that begins with '{', got byte ${bytes[0] ?? 'none'}`,
    );
  }
  try {
    return decodeUtf8(bytes);
  } catch {
    throw new SafetensorsError(where, 'expected a header of UTF-8, got other bytes');
  }
}

function readTensor(name: string, { dtype, shape, begin, end }: HeaderEntry, data: Uint8Array): StoredTensor {
  const own = data.subarray(begin, end);
  if (dtype === 'BOOL') {
    const odd = own.findIndex((byte) => byte > 1);
    if (odd >= 0)
      throw new SafetensorsError(where, `expected BOOL bytes of 0 or 1, got ${own[odd]} at ${odd}`, name);
  }
  // The array is that of the dtype, by the table; TypeScript does not follow one through the other.
  return { dtype, shape, data: asArray(dtype, own) } as StoredTensor;
}

/**
 * The bytes as numbers of `dtype`: a view, or a copy (not `slice`, which in Node's Buffer makes a view) where they do not lie on
 * a multiple of its size.
 */
function asArray(dtype: StoredDType, bytes: Uint8Array): StoredTensor['data'] {
  const ArrayType: new (buffer: ArrayBufferLike, start: number, length: number) => StoredTensor['data'] =
    storedTypes[dtype];
  const width = storedTypes[dtype].BYTES_PER_ELEMENT;
  const { buffer, byteOffset, length } = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  return new ArrayType(buffer, byteOffset, length / width);
}
