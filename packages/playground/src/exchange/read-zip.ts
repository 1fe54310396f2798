/** The files in a zip file, of this page or of any other program. */
import type { OpenedFile } from './read-run.ts';
import { centralHeader, crc32, endOfDirectory, localHeader } from './zip-format.ts';

const methods = { stored: 0, deflated: 8 };
/** A file that is larger, or longer than that, has its sizes elsewhere. */
const zip64 = 0xffffffff;
const longestComment = 0xffff;

/** Folders are left out. */
export function readZip(path: string, zip: Uint8Array<ArrayBuffer>): OpenedFile[] {
  const wrong = (got: string): Error => new Error(`open: expected a zip file, got ${path} ${got}`);
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const expectAt = (offset: number, { signature, length }: typeof localHeader): void => {
    const isThere = offset + length <= zip.length && view.getUint32(offset, true) === signature;
    if (!isThere) throw wrong('that is damaged (save or download it again)');
  };

  const end = findEnd(view);
  if (end === undefined) throw wrong('without a directory of its files');
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const files: OpenedFile[] = [];
  for (let i = 0; i < count; i++) {
    expectAt(at, centralHeader);
    const [method, crc, packed, offset] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 16, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ];
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const nameAt = at + centralHeader.length;
    const name = new TextDecoder().decode(zip.subarray(nameAt, nameAt + nameLength));
    at = nameAt + nameLength + extra + comment;
    if (name.endsWith('/')) continue;
    if (packed === zip64 || offset === zip64) throw wrong('of more than 4 GiB');
    if (method !== methods.stored && method !== methods.deflated) {
      throw wrong(`with ${name} packed by method ${method} (open the folder it holds instead)`);
    }
    files.push({
      path: name,
      bytes: async () => {
        expectAt(offset, localHeader);
        const start =
          offset + localHeader.length + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
        const content = zip.slice(start, start + packed);
        const bytes = method === methods.stored ? content : await inflate(content).catch(() => undefined);
        if (!bytes || crc32(bytes) !== crc) throw wrong(`with a damaged ${name} (save or download it again)`);
        return bytes;
      },
    });
  }
  return files;
}

/** It stands last, but for a comment. */
function findEnd(view: DataView): number | undefined {
  const last = view.byteLength - endOfDirectory.length;
  for (let at = last; at >= Math.max(0, last - longestComment); at--) {
    if (view.getUint32(at, true) === endOfDirectory.signature) return at;
  }
  return undefined;
}

async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
