/**
 * A folder that one process at a time owns, with a manifest that is both the list of its files and the lock.
 *
 * The state of the folder is its newest complete manifest, `manifest-<n>.json`. Who wants to change anything creates
 * number n + 1: the file system gives that name to one process only, so of several one succeeds, and an owner that was
 * taken for dead finds its next number taken and stops. Numbers only grow, and nothing is looked at first and deleted
 * then. New contents are written under temporary names, which the manifest names; they are renamed when it is complete,
 * by its owner or by whoever comes next. What a manifest does not list, or a former owner's token does not mark, is
 * somebody else's and stays.
 */
import { lstat, mkdir, rename, rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { flushFolder, readIfThere, writeFlushed } from '@flowgrad/files/node';
import type { FileContent } from '@flowgrad/files/node';
import { emptyManifest, isRunFile, manifestName, manifestNumber } from '../run/manifest.ts';
import type { ListedFile, Manifest, Owner } from '../run/manifest.ts';
import { describeOwner, ownerState, startHeartbeat, thisProcess } from './folder-owner.ts';
import { lockName, lockText } from './lock-file.ts';
import {
  bears,
  codeOf,
  findManifest,
  isListed,
  listingOf,
  manifestNumbers,
  namesIn,
  readManifest,
  temporaryPrefix,
  tokensOf,
  writeManifest,
} from './manifest-file.ts';

export interface Changes {
  /** Contents by path, with `/` between parts. All of them are there afterwards, or none. */
  readonly write?: Readonly<Record<string, FileContent>>;
  /** What is written at the same time stays. */
  readonly remove?: readonly string[];
  /** Files that lie there already and become part of the run. */
  readonly adopt?: Readonly<Record<string, ListedFile>>;
}

/** A folder that this process has to itself. */
export interface OwnedFolder {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Throws a `FolderLostError`, and changes nothing, if another process has taken the folder over. */
  commit(this: void, changes: Changes): Promise<void>;
  /** Lets others have it. A folder in which nothing was ever committed is left as it was found. */
  release(this: void): Promise<void>;
}

/** How a folder is claimed. */
export interface ClaimOptions {
  /** How long an owner whose process cannot be looked at must be silent before it counts as dead; 30 unless given. */
  readonly leaseSeconds?: number;
  /** Called when that has to be waited for. */
  readonly onWait?: (owner: string) => void;
}

export class FolderLostError extends Error {
  override readonly name = 'FolderLostError';
  constructor(folder: string) {
    super(
      `run: expected to be the only process in ${folder}, but another one has taken it over, or it was deleted ` +
        '(nothing more is written to it here)',
    );
  }
}

/** Takes the folder, which is made if need be. An owner that is at work is an error. */
export async function claimFolder(folder: string, options: ClaimOptions = {}): Promise<OwnedFolder> {
  const owner = thisProcess();
  let made: string | undefined;
  try {
    for (;;) {
      made ??= await mkdir(folder, { recursive: true });
      const free = await expectFree(folder, options);
      const manifest = await claimNumber(folder, free, owner);
      const claim = manifest && { number: free.number, manifest, owner, isNew: made !== undefined };
      if (claim) return await takeOver(folder, claim, options);
    }
  } catch (error) {
    // A folder that is empty again goes; one in which there is something stays.
    if (made !== undefined) await rmdir(folder).catch(() => undefined);
    throw error;
  }
}

interface Free {
  /** The one to claim. */
  readonly number: number;
  /** The token of the owner that was found dead; undefined if there was none. */
  readonly deadOwner: string | undefined;
}

/** Throws if the owner is at work. */
async function expectFree(folder: string, options: ClaimOptions): Promise<Free> {
  const { leaseSeconds = 30, onWait } = options;
  const { newest, manifest, isNewest } = await findManifest(folder);
  const owner = manifest?.owner;
  if (!owner) {
    // Somebody is, or was, between creating that number and writing it, which takes no longer than a moment.
    const isAtWork = !isNewest && (await moves(folder, undefined, 0.5));
    return isAtWork ? expectFree(folder, options) : { number: newest + 1, deadOwner: undefined };
  }
  const state = ownerState(owner);
  if (state === 'unknown') onWait?.(describeOwner(owner));
  if (state === 'alive' || (state === 'unknown' && (await moves(folder, owner, leaseSeconds)))) {
    throw new Error(
      `train: expected a run that nobody else is training, got ${folder}, locked by ${describeOwner(owner)} ` +
        '(wait for it to end)',
    );
  }
  return { number: newest + 1, deadOwner: owner.token };
}

/** Whether anything of the owner changes within that time. Looks are counted: clocks go on while a process is stopped. */
async function moves(folder: string, owner: Owner | undefined, seconds: number): Promise<boolean> {
  const look = async (): Promise<string> => {
    const [newest = 0] = await manifestNumbers(folder);
    const [beat, manifest] = await Promise.all([
      owner && readIfThere(join(folder, lockName(owner.token))),
      readIfThere(join(folder, manifestName(newest))),
    ]);
    return `${newest} ${manifest?.length} ${beat && Buffer.from(beat).toString()}`;
  };
  const first = await look();
  const looks = 20;
  for (let i = 0; i < looks; i++) {
    await setTimeout((1000 * seconds) / looks);
    if ((await look()) !== first) return true;
  }
  return false;
}

/** The manifest written under that number; undefined if another process was quicker. */
async function claimNumber(
  folder: string,
  { number, deadOwner }: Free,
  owner: Owner,
): Promise<Manifest | undefined> {
  let manifest: Manifest | undefined;
  const isOurs = await writeManifest(folder, number, async () => {
    // An owner that is still at work sees this number from now on. What it completed before is read here; if that is
    // another owner's than was judged, the number is given up.
    const base = (await readManifest(folder)) ?? emptyManifest;
    if (base.owner?.token !== deadOwner) return undefined;
    manifest = { ...base, owner, formerOwners: tokensOf(base) };
    return manifest;
  });
  return isOurs ? manifest : undefined;
}

interface Claim {
  readonly number: number;
  readonly manifest: Manifest;
  readonly owner: Owner;
  /** Whether the folder was made for it. */
  readonly isNew: boolean;
}

async function takeOver(
  folder: string,
  claim: Claim,
  { leaseSeconds = 30 }: ClaimOptions,
): Promise<OwnedFolder> {
  const { token } = claim.owner;
  const lock = join(folder, lockName(token));
  let { number, manifest } = claim;
  let temporaries = 0;
  let stopHeartbeat: (() => Promise<void>) | undefined;

  const expectOwned = async (): Promise<void> => {
    if ((await manifestNumbers(folder))[0] !== number) throw new FolderLostError(folder);
  };

  const advance = async (next: Manifest): Promise<void> => {
    if (!(await writeManifest(folder, number + 1, () => next))) throw new FolderLostError(folder);
    [number, manifest] = [number + 1, next];
  };

  /** Does what the manifest announces, and forgets the one before it. */
  const settle = async (): Promise<void> => {
    await apply(folder, manifest);
    await removeFile(join(folder, manifestName(number - 1)));
    manifest = { ...manifest, files: withoutStages(manifest.files), removed: [] };
  };

  const tidy = async (): Promise<void> => {
    const isRubbish = (name: string): boolean =>
      (manifestNumber(name) ?? number) < number || bears(name, claim.manifest.formerOwners);
    for (const name of (await namesIn(folder)).filter(isRubbish)) await removeFile(join(folder, name));
    manifest = { ...manifest, formerOwners: [] };
  };

  const commit = async ({ write = {}, remove = [], adopt = {} }: Changes): Promise<void> => {
    await expectOwned();
    for (const path of Object.keys(write)) {
      if (!manifest.files[path]) await expectNothing(folder, path);
    }
    const files: Record<string, ListedFile> = { ...manifest.files, ...adopt };
    const staged: string[] = [];
    try {
      for (const [path, content] of Object.entries(write)) {
        temporaries += 1;
        const name = `${temporaryPrefix(token)}${temporaries}-${basename(path)}`;
        staged.push(name);
        await writeFlushed(join(folder, name), content);
        files[path] = { ...listingOf(content), staged: name };
      }
      const removed = remove.filter((path) => path in manifest.files && !(path in write));
      for (const path of removed) delete files[path];
      await advance({ ...manifest, files, removed });
    } catch (error) {
      for (const name of staged) await removeFile(join(folder, name));
      throw error;
    }
    await settle();
  };

  const release = async (): Promise<void> => {
    await stopHeartbeat?.();
    try {
      await expectOwned();
      if (isListed(manifest)) {
        await settle();
        // While the manifest still names this owner: whoever comes after a kill here finds it dead and tidies up.
        await removeFile(lock);
        const { owner: _, ...free } = manifest;
        await advance(free);
        await settle();
      } else {
        await removeFile(lock);
        await removeFile(join(folder, manifestName(number)));
        if (claim.isNew) await rmdir(folder);
      }
    } catch {
      // What is committed is complete without this; the next owner finds this one gone and tidies up.
    }
  };

  try {
    const text = lockText(claim.owner);
    await writeFlushed(lock, `${text}0`);
    stopHeartbeat = startHeartbeat(lock, Buffer.byteLength(text), Math.min(1000, 100 * leaseSeconds));
    await settle();
    await tidy();
  } catch (error) {
    await release();
    throw error;
  }
  return {
    folder,
    get manifest() {
      return manifest;
    },
    commit,
    release,
  };
}

/** A name of a run may be taken by something that is not of the run: it stays. */
async function expectNothing(folder: string, path: string): Promise<void> {
  if (!isRunFile(path)) throw new Error(`run: expected a name of a run's file, got ${path}`);
  try {
    const found = await lstat(join(folder, path));
    // In an empty folder there is nothing to lose.
    if (found.isDirectory() && (await namesIn(join(folder, path))).length === 0) return;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  throw new Error(
    `run: expected no ${path} in ${folder} yet, got one that this run did not write (move it away, then --resume)`,
  );
}

const withoutStages = (files: Manifest['files']): Manifest['files'] =>
  Object.fromEntries(Object.entries(files).map(([path, { bytes, sha256 }]) => [path, { bytes, sha256 }]));

/** Does what a manifest announces. May be done again, and by another process. */
async function apply(folder: string, { files, removed }: Manifest): Promise<void> {
  const changed = new Set<string>();
  for (const [path, { staged }] of Object.entries(files)) {
    if (staged === undefined) continue;
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    try {
      await renameFile(join(folder, staged), target);
      changed.add(dirname(target)).add(dirname(dirname(target)));
    } catch (error) {
      // Renamed already; and if the next owner has dropped the file since, its folder must not come back.
      if (codeOf(error) !== 'ENOENT') throw error;
      await removeEmpty(folder, dirname(path));
    }
  }
  for (const each of changed) await flushFolder(each);
  for (const path of removed) {
    await removeFile(join(folder, path));
    await removeEmpty(folder, dirname(path));
  }
}

/** What has taken the place of a file is removed too if it is an empty folder; one with anything in it stays. */
async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    if (!(await isFolder(path))) throw error;
    await rmdir(path);
  }
}

async function renameFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || !(await isFolder(to))) throw error;
    await rmdir(to);
    await rename(from, to);
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Of the folders on the way to a path, and itself, those that are empty. */
async function removeEmpty(folder: string, path: string): Promise<void> {
  for (let part = path; part !== '.'; part = dirname(part)) {
    await rmdir(join(folder, part)).catch(() => undefined);
  }
}
