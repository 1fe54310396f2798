import { randomBytes } from 'node:crypto';
import { lstat, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** What writing a folder can be told. */
export interface WriteOptions {
  /** Replace the folder if it is there and holds nothing but files of such a folder; otherwise that is an error. */
  readonly overwrite?: boolean;
}

/** What a file is to hold; text is written as UTF-8. */
export type FileContent = string | Uint8Array;

/**
 * Writes a folder of files so that a reader sees all of it or none: the files go to a temporary folder
 * beside it, are flushed to the disk, and the folder is renamed. When an older folder is replaced it is moved
 * aside first, so a crash between the two renames leaves it under its `.old-…` name, complete. A folder in which there is
 * anything but files of these names, or of `alsoReplaces`, is not replaced.
 */
export async function writeFolder(
  folder: string,
  files: Readonly<Record<string, FileContent>>,
  { overwrite = false, alsoReplaces = [] }: WriteOptions & { readonly alsoReplaces?: readonly string[] } = {},
): Promise<void> {
  const target = resolve(folder);
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  const old = await exists(target);
  if (old && !overwrite) {
    throw new Error(`write: expected no folder at ${folder}, got one (overwrite: true replaces it)`);
  }
  if (old) await expectOnly(target, [...new Set([...Object.keys(files), ...alsoReplaces])]);
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

/** What is not of such a folder is somebody's, and is not deleted. */
async function expectOnly(folder: string, names: readonly string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  const strangers = entries.filter((entry) => !(entry.isFile() && names.includes(entry.name)));
  if (strangers.length === 0) return;
  const listed = strangers.slice(0, 3).map(({ name }) => name);
  const more = strangers.length > 3 ? ` and ${strangers.length - 3} more` : '';
  throw new Error(
    `write: expected nothing but ${names.join(', ')} in the folder to replace, got ${folder} with ` +
      `${listed.join(', ')}${more} (choose another folder, or move them away)`,
  );
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
