/** Files as one zip file. They are stored as they are: numbers of a training hardly become smaller. */
import { centralHeader, crc32, endOfDirectory, localHeader } from './zip-format.ts';

const version = 20;
/** Names are UTF-8. */
const flags = 0x0800;
const stored = 0;

export function writeZip(
  files: Readonly<Record<string, string | Uint8Array>>,
  at: Date = new Date(),
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const entries = Object.entries(files).map(([path, content]) => {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    return { name: encoder.encode(path), bytes, crc: crc32(bytes) };
  });
  const headers = localHeader.length + centralHeader.length;
  const size = entries.reduce(
    (sum, { name, bytes }) => sum + headers + 2 * name.length + bytes.length,
    endOfDirectory.length,
  );
  const zip = new Uint8Array(size);
  const view = new DataView(zip.buffer);
  let end = 0;
  const put16 = (...values: number[]): void => {
    for (const value of values) view.setUint16((end += 2) - 2, value, true);
  };
  const put32 = (...values: number[]): void => {
    for (const value of values) view.setUint32((end += 4) - 4, value, true);
  };
  const put = (bytes: Uint8Array): void => {
    zip.set(bytes, end);
    end += bytes.length;
  };
  /** What both headers of a file have, from its flags to the length of its extra field. */
  const putFacts = ({ name, bytes, crc }: (typeof entries)[number]): void => {
    put16(flags, stored, timeOf(at), dateOf(at));
    put32(crc, bytes.length, bytes.length);
    put16(name.length, 0);
  };

  const offsets = entries.map((entry) => {
    const offset = end;
    put32(localHeader.signature);
    put16(version);
    putFacts(entry);
    put(entry.name);
    put(entry.bytes);
    return offset;
  });
  const directory = end;
  for (const [i, entry] of entries.entries()) {
    put32(centralHeader.signature);
    put16(version, version);
    putFacts(entry);
    // No comment, in the first part, no attributes.
    put16(0, 0, 0);
    put32(0, offsets[i]);
    put(entry.name);
  }
  const directorySize = end - directory;
  put32(endOfDirectory.signature);
  put16(0, 0, entries.length, entries.length);
  put32(directorySize, directory);
  put16(0);
  return zip;
}

const timeOf = (at: Date): number => (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);

const dateOf = (at: Date): number =>
  ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();
