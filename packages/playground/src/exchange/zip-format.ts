/** What files of the zip format have in common: PKWARE's APPNOTE.TXT, without encryption, parts and 64-bit sizes. */

export const localHeader = { signature: 0x04034b50, length: 30 };
export const centralHeader = { signature: 0x02014b50, length: 46 };
export const endOfDirectory = { signature: 0x06054b50, length: 22 };

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** In signed 32-bit integers and by index: V8 takes five times as long for `of` and for numbers beyond 2³¹. */
export function crc32(bytes: Uint8Array): number {
  let rest = -1;
  for (let i = 0; i < bytes.length; i++) rest = table[(rest ^ bytes[i]) & 0xff] ^ (rest >>> 8);
  return ~rest >>> 0;
}
