/** Zip files whose headers need not be true. */
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  /** As it lies in the file. */
  readonly packed: Buffer;
  readonly isDeflated: boolean;
  /** What the headers say. */
  readonly size: number;
  readonly crc: number;
}

export function entryOf(name: string, content: Uint8Array, isDeflated: boolean): ZipEntry {
  const bytes = Buffer.from(content);
  const packed = isDeflated ? deflateRawSync(bytes) : bytes;
  return { name, packed, isDeflated, size: bytes.length, crc: crc32(bytes) };
}

/** An entry of zeros that is small only as long as nobody unpacks it. */
export async function bomb(name: string, mebibytes: number, claimed?: number): Promise<ZipEntry> {
  const stream = createDeflateRaw();
  const parts: Buffer[] = [];
  stream.on('data', (part: Buffer) => parts.push(part));
  const zeros = Buffer.alloc(2 ** 20);
  let crc = 0;
  for (let i = 0; i < mebibytes; i++) {
    crc = crc32(zeros, crc);
    if (!stream.write(zeros)) await new Promise((resolve) => stream.once('drain', resolve));
  }
  await new Promise<void>((resolve) => stream.end(resolve));
  return { name, packed: Buffer.concat(parts), isDeflated: true, size: claimed ?? mebibytes * 2 ** 20, crc };
}

export function zipOf(entries: readonly ZipEntry[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, isDeflated, size, crc } of entries) {
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(isDeflated ? 8 : 0, 2);
    facts.writeUInt32LE(crc, 8);
    facts.writeUInt32LE(packed.length, 12);
    facts.writeUInt32LE(size, 16);
    facts.writeUInt16LE(Buffer.byteLength(name), 20);
    const head = (signature: number, ...words: number[]): Buffer =>
      Buffer.concat([
        Buffer.from(new Uint32Array([signature]).buffer),
        Buffer.from(new Uint16Array(words).buffer),
      ]);
    const local = Buffer.concat([head(0x04034b50, 20), facts, Buffer.alloc(2), Buffer.from(name), packed]);
    const tail = Buffer.alloc(16);
    tail.writeUInt32LE(offset, 12);
    directory.push(head(0x02014b50, 20, 20), facts, tail, Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, index, end]));
}
