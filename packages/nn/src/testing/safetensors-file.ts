/** Files put together by hand, to be wrong in exactly one way. */
import { encodeUtf8 } from '../safetensors/utf8.ts';

/** A file with this header text, `length` bytes of zeros as data and, unless told otherwise, the right header length. */
export function rawFile(header: string, length = 0, statedLength?: bigint): Uint8Array {
  const text = encodeUtf8(header);
  const bytes = new Uint8Array(8 + text.length + length);
  new DataView(bytes.buffer).setBigUint64(0, statedLength ?? BigInt(text.length), true);
  bytes.set(text, 8);
  return bytes;
}

/** The header text of one tensor `w`. */
export function headerOf(fields: { dtype?: string; shape?: string; data_offsets?: string } = {}): string {
  const { dtype = '"F32"', shape = '[2]', data_offsets = '[0,8]' } = fields;
  return `{"w":{"dtype":${dtype},"shape":${shape},"data_offsets":${data_offsets}}}`;
}
