/** Whether a safetensors file is as long as its header says, known before the file is read. */
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { readLimits } from '@flowgrad/files/node';

const lengthBytes = 8;

/** What is wrong; undefined if nothing is, or if there is no file. */
export async function safetensorsProblem(path: string): Promise<string | undefined> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const found = await file.stat();
    // What is no file, reading says.
    return found.isFile() ? await sizeProblem(file, found.size) : undefined;
  } finally {
    await file.close();
  }
}

async function sizeProblem(file: FileHandle, size: number): Promise<string | undefined> {
  const start = Buffer.alloc(lengthBytes);
  const { bytesRead } = await file.read(start, 0, lengthBytes, 0);
  if (bytesRead < lengthBytes) return `expected at least ${lengthBytes} bytes, got ${bytesRead}`;
  const length = Number(start.readBigUInt64LE());
  const most = Math.min(size - lengthBytes, readLimits.json);
  if (length > most) return `expected a header of at most ${most} bytes, got ${length}`;
  const header = Buffer.alloc(length);
  await file.read(header, 0, length, lengthBytes);
  const data = dataLength(header.toString('utf8'));
  if (data === undefined) return 'expected a header that lists tensors, got other text';
  const wanted = lengthBytes + length + data;
  return wanted === size ? undefined : `expected the ${wanted} bytes that its header lists, got ${size}`;
}

/** Where the last tensor ends; undefined if the header says nothing of the kind. */
function dataLength(header: string): number | undefined {
  try {
    const { __metadata__: _, ...tensors } = JSON.parse(header) as Record<string, { data_offsets: number[] }>;
    const ends = Object.values(tensors).map(({ data_offsets: [, end] }) => end);
    return ends.every(Number.isSafeInteger) ? Math.max(0, ...ends) : undefined;
  } catch {
    return undefined;
  }
}
