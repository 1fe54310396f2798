/** A folder on the disk of which one file at a time is another. It goes when the process ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Random } from '../random.ts';
import { mutateBytes, mutateText } from './mutate.ts';

export interface ChangedFile {
  readonly folder: string;
  readonly path: string;
  readonly original: Buffer;
  readonly content: Uint8Array | string;
}

/** Gives a function that changes one of the files whose names match; `fill` makes the folder, on first use. */
export function changingFolder(
  fill: (folder: string) => Promise<void>,
  pattern: RegExp,
): (random: Random) => Promise<ChangedFile> {
  let made: Promise<Map<string, Buffer>> | undefined;
  let folder = '';
  const make = async (): Promise<Map<string, Buffer>> => {
    const parent = mkdtempSync(join(tmpdir(), 'flowgrad-fuzz-'));
    process.on('exit', () => rmSync(parent, { recursive: true, force: true }));
    folder = join(parent, 'folder');
    await fill(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const matching = paths.map((path) => relative(folder, path)).filter((path) => pattern.test(path));
    return new Map(
      await Promise.all(
        matching.sort().map(async (path) => [path, await readFile(join(folder, path))] as const),
      ),
    );
  };
  return async (random) => {
    const [path, original] = random.pick([...(await (made ??= make()))]);
    const isText = !path.endsWith('.safetensors');
    const content = isText ? mutateText(original.toString(), random) : mutateBytes(original, random);
    return { folder, path, original, content };
  };
}

/** Reads the folder as it is with the change. */
export async function readChanged<T>(changed: ChangedFile, read: (folder: string) => Promise<T>): Promise<T> {
  const path = join(changed.folder, changed.path);
  await writeFile(path, changed.content);
  try {
    return await read(changed.folder);
  } finally {
    await writeFile(path, changed.original);
  }
}
