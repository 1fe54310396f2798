import { readLimits, showBytes } from './read-limits.ts';

/** A file and where it lies in the folder that was opened, with `/` between parts. */
export interface OpenedFile {
  readonly path: string;
  /** Of its bytes, known before they are read. */
  readonly size: number;
  bytes(this: void): Promise<Uint8Array<ArrayBuffer>>;
}

/** The first among the files that lie least deep. */
export const shallowest = (files: readonly OpenedFile[], pattern: RegExp): OpenedFile | undefined =>
  files
    .filter(({ path }) => pattern.test(path))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)[0];

/** Unless there are too many of them. */
export async function bytesOf(
  { path, size, bytes }: OpenedFile,
  most: number = readLimits.fileBytes,
): Promise<Uint8Array<ArrayBuffer>> {
  if (size <= most) return bytes();
  throw new Error(`open: expected at most ${showBytes(most)} in ${path}, got ${showBytes(size)}`);
}
