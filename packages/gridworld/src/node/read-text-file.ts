import { DatasetFormatError } from '@flowgrad/data';
import { basename, dirname } from 'node:path';
import { readIfThere } from '@flowgrad/files/node';

/** Reads UTF-8 strictly: bytes that are none would otherwise turn into replacement characters in silence. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readIfThere(path);
  if (!bytes) throw new DatasetFormatError(basename(path), `a file in ${dirname(path)}`, 'none');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new DatasetFormatError(basename(path), 'UTF-8 text', 'other bytes');
  }
}
