import { randomBytes } from 'node:crypto';
import { lstat, mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** What writing a folder can be told. */
export interface WriteOptions {
  /** Replace the folder if it is there; otherwise that is an error. */
  readonly overwrite?: boolean;
}

/** What a file is to hold; text is written as UTF-8. */
export type FileContent = string | Uint8Array;

/**
 * Writes a folder of files so that a reader sees all of it or none: the files go to a temporary folder
 * beside it, are flushed to the disk, and the folder is renamed. When an older folder is replaced it is moved
 * aside first, so a crash between the two renames leaves it under its `.old-…` name, complete.
 */
export async function writeFolder(
  folder: string,
  files: Readonly<Record<string, FileContent>>,
  { overwrite = false }: WriteOptions = {},
): Promise<void> {
  const target = resolve(folder);
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  const old = await exists(target);
  if (old && !overwrite) {
    throw new Error(`write: expected no folder at ${folder}, got one (overwrite: true replaces it)`);
  }
  const temporary = await mkdtemp(join(parent, `.${basename(target)}.tmp-`));
  try {
    for (const [name, content] of Object.entries(files)) await writeFlushed(join(temporary, name), content);
    await flushFolder(temporary);
    if (old) await replaceFolder(temporary, target);
    else await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  await flushFolder(parent);
}

async function replaceFolder(temporary: string, target: string): Promise<void> {
  const aside = temporary.replace(/\.tmp-(?=[^.]*$)/, '.old-');
  await rename(target, aside);
  try {
    await rename(temporary, target);
  } catch (error) {
    await rename(aside, target);
    throw error;
  }
  await rm(aside, { recursive: true });
}

/** Writes a file so that a reader sees the old one or the new one, never a part. */
export async function replaceFile(path: string, content: FileContent): Promise<void> {
  const target = resolve(path);
  const temporary = `${target}.tmp-${randomBytes(8).toString('hex')}`;
  try {
    await writeFlushed(temporary, content);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushFolder(dirname(target));
}

/** Writes a new file, and returns when it is on the disk. A name that is taken is an error. */
export async function writeFlushed(path: string, content: FileContent): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the folder's entries durable. Windows cannot open a folder for that; it keeps them by itself. */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Only a name that is not there is absent: any other trouble with it is an error. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
