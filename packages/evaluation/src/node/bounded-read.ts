/** Reading files that may be anything: nothing is read before its size is known to be within a limit. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { RunFileError } from './run-file-error.ts';

const MiB = 2 ** 20;

/** The largest files of each kind that are read, in bytes. */
export const readLimits = {
  /** config.json, position.json, environment.json, summary.json, attention.json, a manifest, settings. */
  json: 16 * MiB,
  /** metrics.jsonl: some 400,000 epochs. */
  jsonLines: 256 * MiB,
  /** parameters, and the state of an optimiser. */
  safetensors: 2048 * MiB,
} as const;

/** The limit for a file of this name. */
export function readLimitOf(path: string): number {
  if (path.endsWith('.safetensors')) return readLimits.safetensors;
  return path.endsWith('.jsonl') ? readLimits.jsonLines : readLimits.json;
}

/** The bytes of a file; undefined where there is none. Everything else that goes wrong is an error. */
export async function readIfThere(
  path: string,
  limit: number = readLimitOf(path),
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let file: FileHandle;
  try {
    // Opening a pipe would otherwise wait for somebody to write to it.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`read: expected a file at ${path}, got something else`);
    if (found.size > limit) {
      throw new Error(`read: expected at most ${limit} bytes in ${path}, got ${found.size}`);
    }
    return new Uint8Array(await readUpTo(file, found.size));
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

/** Throws unless the bytes are UTF-8: others would turn into replacement characters in silence. */
export function textOf(folder: string, file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new RunFileError(folder, file, 'expected UTF-8 text, got other bytes');
  }
}

export function parseJson(folder: string, file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${folder}: expected JSON in ${file}, got something else (${(error as Error).message})`);
  }
}
