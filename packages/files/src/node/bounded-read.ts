/** Reading files that may be anything: nothing is read before its size is known to be within a limit. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const MiB = 2 ** 20;

/** The largest files of each kind that are read, in bytes. */
export const readLimits = {
  /** Settings, manifests, and every other file that is one JSON value. */
  json: 16 * MiB,
  /** metrics.jsonl of a run: some 400,000 epochs. */
  jsonLines: 256 * MiB,
  /** A text file of a dataset. */
  text: 512 * MiB,
  /** Parameters, and the state of an optimiser. */
  safetensors: 2048 * MiB,
} as const;

function limitOf(path: string): number {
  if (path.endsWith('.safetensors')) return readLimits.safetensors;
  if (path.endsWith('.jsonl')) return readLimits.jsonLines;
  return path.endsWith('.txt') ? readLimits.text : readLimits.json;
}

/**
 * The bytes of a file; undefined where there is none. Everything else that goes wrong is an error. The limit is that of
 * the name's ending unless given.
 */
export async function readIfThere(
  path: string,
  limit: number = limitOf(path),
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let file: FileHandle;
  try {
    // Opening a pipe would otherwise wait for somebody to write to it. Windows has no such flag.
    file = await open(path, constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const words = `read: expected to open ${path}, got ${code}`;
    throw Object.assign(new Error(words, { cause: error }), { code, path });
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`read: expected a file at ${path}, got something else`);
    if (found.size > limit) {
      throw new Error(`read: expected at most ${limit} bytes in ${path}, got ${found.size}`);
    }
    return await readUpTo(file, found.size);
  } finally {
    await file.close();
  }
}

/** A file that grows meanwhile is read as long as it was. */
async function readUpTo(file: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
