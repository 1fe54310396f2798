/** Files made once and shared by later processes of the same user. */
import { lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder called `name` under the temporary one, filled by `fill` unless it was before. Whole or not there: it gets
 * its name when it is full. One that belongs to somebody else is not trusted: libraries are loaded from it.
 */
export function privateFolder(name: string, fill: (folder: string) => void): string {
  const user = process.getuid?.() ?? 'user';
  const folder = join(tmpdir(), `${name}-${user}`);
  if (isOurs(folder)) return folder;
  const fresh = mkdtempSync(`${folder}-`);
  try {
    fill(fresh);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
  try {
    renameSync(fresh, folder);
    return folder;
  } catch {
    // Another process was first, or the name is taken by somebody else.
    if (!isOurs(folder)) return fresh;
    rmSync(fresh, { recursive: true, force: true });
    return folder;
  }
}

function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
}
