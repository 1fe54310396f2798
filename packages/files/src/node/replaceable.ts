/** Files that a person names for something to be written to. */
import { lstat, open } from 'node:fs/promises';

/** What is about to be written. */
export interface FileKind {
  /** Who writes, and what it is: 'report', 'a report'. */
  readonly where: string;
  readonly what: string;
  /** Whether a file that begins like this, with 64 KiB of it at most, is one. */
  isOne(this: void, beginning: Uint8Array): boolean;
}

/** Raises unless nothing is at `path`, or a file of the same kind: anything else is somebody's, and is not replaced. */
export async function expectReplaceable(path: string, { where, what, isOne }: FileKind): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found || (found.isFile() && isOne(await beginningOf(path)))) return;
  const got = found.isDirectory() ? 'a folder' : found.isFile() ? 'another file' : 'what is no ordinary file';
  throw new Error(
    `${where}: expected no file at ${path}, or ${what} to replace, got ${got} (choose another name, or move it away)`,
  );
}

async function beginningOf(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(2 ** 16) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
