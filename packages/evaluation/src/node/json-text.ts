/** Text and JSON out of the bytes of a run's file; what they are not is an error that names the file. */
import { RunFileError } from './run-file-error.ts';

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
