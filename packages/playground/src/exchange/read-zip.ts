/** The files in a zip file, of this page or of any other program. */
import type { OpenedFile } from './opened-file.ts';
import { readLimits, showBytes } from './read-limits.ts';
import { centralHeader, crc32, endOfDirectory, localHeader } from './zip-format.ts';

const methods = { stored: 0, deflated: 8 };
/** A file that is larger, or longer than that, has its sizes elsewhere. */
const zip64 = 0xffffffff;
const longestComment = 0xffff;

/** What the directory says of a file. */
interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Folders are left out. The directory is held to `readLimits` before anything is unpacked, and a file is unpacked no
 * further than to the size that the directory gave.
 */
export function readZip(path: string, zip: Uint8Array<ArrayBuffer>): OpenedFile[] {
  const wrong = (got: string): Error => new Error(`open: expected a zip file, got ${path} ${got}`);
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const unpack = async ({
    name,
    method,
    crc,
    packed,
    size,
    offset,
  }: Entry): Promise<Uint8Array<ArrayBuffer>> => {
    const damaged = wrong(`with a damaged ${name} (save or download it again)`);
    expectHeader(view, offset, localHeader, wrong);
    const start =
      offset + localHeader.length + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    const content = zip.slice(start, start + packed);
    if (content.length !== packed) throw damaged;
    const bytes = method === methods.stored ? content : await inflate(content, size).catch(() => undefined);
    if (bytes?.length !== size || crc32(bytes) !== crc) throw damaged;
    return bytes;
  };
  const entries = readDirectory(zip, view, wrong).filter(({ name }) => !name.endsWith('/'));
  checkEntries(entries, wrong);
  return entries.map((entry) => ({ path: entry.name, size: entry.size, bytes: () => unpack(entry) }));
}

type Wrong = (got: string) => Error;

function expectHeader(
  view: DataView,
  offset: number,
  { signature, length }: typeof localHeader,
  wrong: Wrong,
): void {
  const isThere = offset + length <= view.byteLength && view.getUint32(offset, true) === signature;
  if (!isThere) throw wrong('that is damaged (save or download it again)');
}

function readDirectory(zip: Uint8Array, view: DataView, wrong: Wrong): Entry[] {
  const end = findEnd(view);
  if (end === undefined) throw wrong('without a directory of its files');
  const count = view.getUint16(end + 10, true);
  if (count > readLimits.files) throw wrong(`with ${count} files (at most ${readLimits.files} are opened)`);
  let at = view.getUint32(end + 16, true);
  return Array.from({ length: count }, () => {
    expectHeader(view, at, centralHeader, wrong);
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    if (nameLength > readLimits.nameBytes) {
      throw wrong(`with a name of ${nameLength} bytes (at most ${readLimits.nameBytes} are read)`);
    }
    const nameAt = at + centralHeader.length;
    const entry = {
      name: new TextDecoder().decode(zip.subarray(nameAt, nameAt + nameLength)),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    at = nameAt + nameLength + extra + comment;
    return entry;
  });
}

function checkEntries(entries: readonly Entry[], wrong: Wrong): void {
  const names = new Set<string>();
  let total = 0;
  for (const { name, method, packed, size, offset } of entries) {
    // No file of a run is called like that, and a name that reads otherwise elsewhere is a trap.
    if (/^[/]|(^|[/])[.][.]?([/]|$)|[\\\p{Cc}]/u.test(name) || name === '') {
      throw wrong(`with a file named ${JSON.stringify(name)} (expected a path inside the folder)`);
    }
    if (names.has(name)) throw wrong(`with ${name} twice`);
    names.add(name);
    if (packed === zip64 || size === zip64 || offset === zip64) throw wrong('of more than 4 GiB');
    if (method !== methods.stored && method !== methods.deflated) {
      throw wrong(`with ${name} packed by method ${method} (open the folder it holds instead)`);
    }
    if (size > readLimits.fileBytes) {
      throw wrong(
        `with ${name} of ${showBytes(size)} unpacked (at most ${showBytes(readLimits.fileBytes)} are read)`,
      );
    }
    total += size;
  }
  if (total > readLimits.totalBytes) {
    throw wrong(`with ${showBytes(total)} unpacked (at most ${showBytes(readLimits.totalBytes)} are read)`);
  }
}

/** It stands last, but for a comment. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - endOfDirectory.length;
  for (let at = last; at >= Math.max(0, last - longestComment); at--) {
    if (view.getUint32(at, true) === endOfDirectory.signature) return at;
  }
  return undefined;
}

/** Stops, and raises, as soon as there is more than `size`: what comes out may be a thousand times what went in. */
async function inflate(packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = new Uint8Array(size);
  let length = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    if (length + value.length > size) {
      await reader.cancel();
      throw new RangeError('more than was declared');
    }
    bytes.set(value, length);
    length += value.length;
  }
}
