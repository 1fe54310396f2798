/** The manifests of a folder as files: reading the newest, writing the next, and reading what one lists. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder, readIfThere } from '@flowgrad/files/node';
import type { FileContent } from '@flowgrad/files/node';
import { decodeManifest, encodeManifest, manifestName, manifestNumber } from '../run/manifest.ts';
import type { ListedFile, Manifest } from '../run/manifest.ts';
import { lockName, manifestByLocks } from './lock-file.ts';
import { RunFileError } from './run-file-error.ts';
import { safetensorsProblem } from './safetensors-size.ts';

const sha256 = (content: FileContent): string => createHash('sha256').update(content).digest('hex');
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
export const temporaryPrefix = (token: string): string => `.tmp-${token}-`;

export const listingOf = (content: FileContent): ListedFile => ({
  bytes: Buffer.byteLength(content),
  sha256: sha256(content),
});

/** The same of a file, which is not held as a whole. */
export async function listingOfFile(path: string): Promise<ListedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(part);
    bytes += part.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Names in a folder; none where it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Highest first. */
const numbersIn = (names: readonly string[]): number[] =>
  names.flatMap((name) => manifestNumber(name) ?? []).sort((a, b) => b - a);

export const manifestNumbers = async (folder: string): Promise<number[]> => numbersIn(await namesIn(folder));

/** The newest complete manifest, or what is left of one that is gone; undefined in a folder that never had one. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  return (await findManifest(folder)).manifest;
}

interface FoundManifest {
  /** The highest number; 0 if there is none. */
  readonly newest: number;
  /** The newest that is complete; if all are gone, one that lists nothing and has the owners whose locks are there. */
  readonly manifest?: Manifest;
  /** Whether that is the one with the highest number. */
  readonly isNewest: boolean;
}

export async function findManifest(folder: string): Promise<FoundManifest> {
  for (;;) {
    const names = await namesIn(folder);
    const numbers = numbersIn(names);
    let hasMoved = false;
    for (const number of numbers) {
      const path = join(folder, manifestName(number));
      const bytes = await readIfThere(path);
      const manifest = bytes && decodeManifest(Buffer.from(bytes).toString('utf8'), sha256);
      if (manifest) return { newest: numbers[0], manifest, isNewest: number === numbers[0] };
      hasMoved ||= !bytes;
    }
    if (hasMoved) continue;
    // Number 1 lists nothing: whoever made it ended before it was complete, or is at it.
    if (numbers.length > 0 && numbers.at(-1) !== 1) {
      throw new Error(
        `${join(folder, manifestName(numbers[0]))}: expected the manifest of a run, got a damaged one (if the other ` +
          'files are whole, delete it: train --resume then lists them anew, as they are)',
      );
    }
    // An owner has a lock only while a manifest names it, so here that manifest was lost.
    const manifest = await manifestByLocks(folder, names);
    return { newest: numbers[0] ?? 0, isNewest: numbers.length === 0, ...(manifest && { manifest }) };
  }
}

/** Whether the files of the folder are those that its manifest lists: not so in folders of older releases. */
export const isListed = (manifest: Manifest | undefined): manifest is Manifest =>
  manifest !== undefined && Object.keys(manifest.files).length > 0;

interface ReadFile {
  readonly content?: Uint8Array<ArrayBuffer>;
  /** Where there is no content: what is wrong. */
  readonly problem?: string;
}

/** The content of a file if it is the listed one. What has another size is not read. */
export async function readListed(path: string, { bytes, sha256: checksum }: ListedFile): Promise<ReadFile> {
  const other = (got: string): ReadFile => ({
    problem: `expected the ${bytes} bytes that the manifest lists, got ${got}`,
  });
  const size = await stat(path).then(
    // What is no file, or cannot be looked at, reading says.
    (found) => (found.isFile() ? found.size : bytes),
    (error: unknown) => (codeOf(error) === 'ENOENT' ? undefined : bytes),
  );
  if (size === undefined) return other('no file');
  if (size !== bytes) return other(`${size} bytes`);
  // A file of an older release was listed as it was.
  const { content, problem } = await readWhole(path);
  if (problem !== undefined) return { problem };
  return content && sha256(content) === checksum ? { content } : other('other content');
}

/** The content of a file that nothing is known of. One that is not as long as it says is not read. */
async function readWhole(path: string): Promise<ReadFile> {
  const problem = path.endsWith('.safetensors') ? await safetensorsProblem(path) : undefined;
  if (problem !== undefined) return { problem };
  const content = await readIfThere(path);
  return content ? { content } : {};
}

/** The content of a file, checked against the manifest where there is one; undefined if the folder has no such file. */
export async function readOwnedFile(
  folder: string,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let previous = '';
  for (let tries = 0; ;) {
    const manifest = await readManifest(folder);
    if (!isListed(manifest)) {
      const { content, problem } = await readWhole(join(folder, path));
      if (problem !== undefined) throw new RunFileError(folder, path, problem);
      return content;
    }
    const listed = manifest.files[path];
    if (!listed) return undefined;
    const found = await readListed(join(folder, path), listed);
    if (found.content) return found.content;
    const staged = listed.staged === undefined ? {} : await readListed(join(folder, listed.staged), listed);
    if (staged.content) return staged.content;
    // An owner at work may have replaced or renamed it between two of these reads.
    tries = JSON.stringify(listed) === previous ? tries + 1 : 0;
    previous = JSON.stringify(listed);
    if (tries === 3) throw new RunFileError(folder, path, found.problem ?? 'expected content, got none');
  }
}

/** Names in the folder that are neither the run's nor its owners'. */
export async function foreignNames(folder: string): Promise<string[]> {
  for (let before = await readManifest(folder); ;) {
    const found = await namesBeside(folder, before);
    // An owner at work may have made names that the manifest of before does not know.
    const after = await readManifest(folder);
    if (JSON.stringify(after) === JSON.stringify(before)) return found;
    before = after;
  }
}

async function namesBeside(folder: string, manifest: Manifest | undefined): Promise<string[]> {
  const own = Object.keys(manifest?.files ?? {});
  const tokens = tokensOf(manifest);
  const found: string[] = [];
  const visit = async (below: string): Promise<void> => {
    for (const name of await namesIn(join(folder, below))) {
      const path = below + name;
      if (own.includes(path) || (below === '' && (manifestNumber(name) || bears(name, tokens)))) continue;
      const isFolderOfOurs = own.some((each) => each.startsWith(`${path}/`));
      if (isFolderOfOurs && (await lstat(join(folder, path))).isDirectory()) await visit(`${path}/`);
      else found.push(path);
    }
  };
  await visit('');
  return found.sort();
}

/** Whether a name was made by one of these owners for its own use. */
export const bears = (name: string, tokens: readonly string[]): boolean =>
  tokens.some((token) => name === lockName(token) || name.startsWith(temporaryPrefix(token)));

export const tokensOf = (manifest: Manifest | undefined): string[] => [
  ...(manifest?.formerOwners ?? []),
  ...(manifest?.owner ? [manifest.owner.token] : []),
];

/** Whether an owner has ended without tidying up. */
export const isUntidy = (manifest: Manifest): boolean =>
  tokensOf(manifest).length > 0 || manifest.removed.length > 0;

/** False, and nothing is changed, if that number is taken, others have gone beyond it, or there is nothing to write. */
export async function writeManifest(
  folder: string,
  number: number,
  content: () => Promise<Manifest | undefined> | Manifest,
): Promise<boolean> {
  const path = join(folder, manifestName(number));
  let file;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  let isComplete = false;
  try {
    try {
      const manifest = await content();
      if (manifest) await file.writeFile(encodeManifest(manifest, sha256));
      await file.sync();
      isComplete = manifest !== undefined;
    } finally {
      await file.close();
    }
    await flushFolder(folder);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  if (isComplete && (await manifestNumbers(folder))[0] === number) return true;
  await rm(path, { force: true });
  return false;
}
