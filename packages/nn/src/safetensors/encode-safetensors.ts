import { unknownName } from '@flowgrad/tensor';
import { maxKeys, maxRank } from './header-reader.ts';
import { lengthBytes, maxHeaderLength } from './header.ts';
import { SafetensorsError, showName } from './safetensors-error.ts';
import { isBrokenText, isStoredDType, metadataKey, nameProblem, storedTypes } from './stored-tensor.ts';
import type { StoredTensor } from './stored-tensor.ts';
import { encodeUtf8 } from './utf8.ts';

type Named<T> = Readonly<Record<string, T>> | ReadonlyMap<string, T>;

const where = 'encodeSafetensors';

/**
 * Writes a safetensors file. Equal content gives equal bytes, in whatever order it is given: tensors lie from the
 * widest dtype to the narrowest, then by name, and the header is filled up with spaces to a multiple of 8 bytes, so
 * every tensor lies on a multiple of its element size.
 */
export function encodeSafetensors(
  tensors: Named<StoredTensor>,
  metadata: Named<string> = {},
): Uint8Array<ArrayBuffer> {
  const inOrder = entriesOf(tensors).sort(([a, left], [b, right]) => {
    return widthOf(right) - widthOf(left) || (a < b ? -1 : 1);
  });
  const parts: string[] = [...metadataPart(metadata)];
  let offset = 0;
  for (const [name, tensor] of inOrder) {
    checkTensor(name, tensor);
    const { dtype, shape, data } = tensor;
    const data_offsets = [offset, offset + data.byteLength];
    parts.push(`${JSON.stringify(name)}:${JSON.stringify({ dtype, shape, data_offsets })}`);
    offset += data.byteLength;
  }
  const header = encodeUtf8(objectOf(parts));
  const headerLength = Math.ceil(header.length / 8) * 8;
  if (headerLength > maxHeaderLength) {
    throw new SafetensorsError(
      where,
      `expected a header of at most ${maxHeaderLength} bytes, got ${headerLength}`,
    );
  }

  const bytes = new Uint8Array(lengthBytes + headerLength + offset);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(headerLength), true);
  bytes.fill(0x20, lengthBytes, lengthBytes + headerLength);
  bytes.set(header, lengthBytes);
  let at = lengthBytes + headerLength;
  for (const [, { data }] of inOrder) {
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return bytes;
}

function entriesOf<T>(named: Named<T>): [string, T][] {
  return named instanceof Map
    ? [...(named as ReadonlyMap<string, T>)]
    : Object.entries<T>(named as Readonly<Record<string, T>>);
}

/** As JSON; what is read again has no more entries than this. */
function objectOf(parts: readonly string[]): string {
  if (parts.length <= maxKeys) return `{${parts.join(',')}}`;
  throw new SafetensorsError(where, `expected at most ${maxKeys} entries in {}, got ${parts.length}`);
}

/** 0 for a dtype that checkTensor will refuse. */
function widthOf({ dtype }: StoredTensor): number {
  return isStoredDType(dtype) ? storedTypes[dtype].BYTES_PER_ELEMENT : 0;
}

function metadataPart(metadata: Named<string>): string[] {
  const inOrder = entriesOf(metadata).sort(([a], [b]) => (a < b ? -1 : 1));
  if (inOrder.length === 0) return [];
  const fields = inOrder.map(([key, text]) => {
    const problem = nameProblem(key);
    if (problem !== undefined)
      throw new SafetensorsError(where, `metadata: expected ${problem}, got ${showName(key)}`);
    if (typeof text !== 'string' || isBrokenText(text)) {
      throw new SafetensorsError(
        where,
        `metadata ${showName(key)}: expected whole Unicode text, got ${String(text)}`,
      );
    }
    return `${JSON.stringify(key)}:${JSON.stringify(text)}`;
  });
  return [`"${metadataKey}":${objectOf(fields)}`];
}

function checkTensor(name: string, { dtype, shape, data }: StoredTensor): void {
  const fail = (message: string): never => {
    throw new SafetensorsError(where, message, name);
  };
  const problem = name === metadataKey ? `a name other than '${metadataKey}'` : nameProblem(name);
  if (problem !== undefined) fail(`expected ${problem}`);
  if (!isStoredDType(dtype)) {
    fail(unknownName('a dtype', dtype, Object.keys(storedTypes)));
  }
  const ArrayType = storedTypes[dtype];
  if (!(data instanceof ArrayType)) {
    fail(`expected data in a ${ArrayType.name} for ${dtype}, got ${Object.prototype.toString.call(data)}`);
  }
  if (!shape.every((extent) => Number.isSafeInteger(extent) && extent >= 0)) {
    fail(`expected a shape of whole numbers ≥ 0, got [${shape.join(', ')}]`);
  }
  if (shape.length > maxRank) fail(`expected a shape of at most ${maxRank} extents, got ${shape.length}`);
  const size = shape.reduce((product, extent) => product * extent, 1);
  if (size !== data.length) fail(`expected ${size} values for [${shape.join(', ')}], got ${data.length}`);
  if (dtype === 'BOOL' && data.some((byte) => byte > 1)) fail('expected BOOL bytes of 0 or 1, got others');
}
