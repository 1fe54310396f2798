/** Lines of UTF-8 text, read as a stream: no more than a piece and a line of it is in memory at a time. */
import { DatasetFormatError } from './format-error.ts';

/** There in Node and in browsers, but in no library of types that both have. */
declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };

/** The content of a file, in pieces of any size. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A line of more bytes than that is not one of a table. */
export const longestLine = 2 ** 20;

const newline = 10;

/**
 * Calls `onLine` with every line and its number, from 1. Unix and Windows line ends are read; the last line may end without
 * one. What is no UTF-8, holds a NUL or is too long is an error with file and line.
 */
export async function readLines(
  file: string,
  chunks: Chunks,
  onLine: (line: string, number: number) => void,
): Promise<void> {
  let number = 1;
  /** The beginning of a line whose end is still to come. */
  let begun: Uint8Array[] = [];
  let length = 0;
  const expectShort = (bytes: number): void => {
    if (bytes <= longestLine) return;
    throw new DatasetFormatError(`${file}:${number}`, `a line of at most ${longestLine} characters`, 'more');
  };
  const takeLines = (bytes: Uint8Array): void => {
    const text = decode(file, number, bytes);
    // Windows' editors put a mark in front.
    let start = number === 1 && text.startsWith('\ufeff') ? 1 : 0;
    for (let end = text.indexOf('\n', start); start < text.length; end = text.indexOf('\n', start)) {
      const stop = end < 0 ? text.length : end;
      expectShort(stop - start);
      onLine(text.slice(start, stop > start && text[stop - 1] === '\r' ? stop - 1 : stop), number++);
      start = stop + 1;
    }
  };
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(newline) + 1;
    if (end > 0) {
      takeLines(joined([...begun, chunk.subarray(0, end)]));
      [begun, length] = [[], 0];
    }
    if (end < chunk.length) {
      begun.push(chunk.subarray(end));
      length += chunk.length - end;
      expectShort(length);
    }
  }
  if (length > 0) takeLines(joined(begun));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whole lines, the first of them with a number. */
function decode(file: string, number: number, bytes: Uint8Array): string {
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    const where = `${file}:${number + countLines(bytes.subarray(0, zero))}`;
    throw new DatasetFormatError(where, 'text as UTF-8', 'a NUL byte (UTF-16 has them)');
  }
  try {
    return decoder.decode(bytes);
  } catch {
    let [start, line] = [0, number];
    for (; ; line++) {
      const end = bytes.indexOf(newline, start) + 1 || bytes.length;
      if (!isUtf8(bytes.subarray(start, end))) break;
      start = end;
    }
    throw new DatasetFormatError(`${file}:${line}`, 'text as UTF-8', 'other bytes (save it as UTF-8)');
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === newline) count += 1;
  return count;
}
