/** Runs that move from machine to machine: the files of a folder at one moment, and a folder made of such files. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FileContent } from '@flowgrad/files/node';
import { isRunFile } from '../run/manifest.ts';
import type { ListedFile } from '../run/manifest.ts';
import { isListed, readListed, readManifest } from './manifest-file.ts';
import { claimFolder } from './owned-folder.ts';
import { RunFileError } from './run-file-error.ts';

/** The files of a run at one moment, by path. */
export interface RunFilesNow {
  readonly files: Readonly<Record<string, ListedFile>>;
  /** Of those that were not known. */
  readonly contents: Readonly<Record<string, Uint8Array>>;
}

const tries = 100;

/**
 * What a run folder holds, as one of its manifests lists it, while somebody trains in it. Contents whose checksum
 * `known` has for the path are not read. Undefined before there is anything.
 */
export async function readRunFiles(
  folder: string,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<RunFilesNow | undefined> {
  for (let i = 0; ; i++) {
    const manifest = await readManifest(folder);
    if (!isListed(manifest)) return undefined;
    const contents: Record<string, Uint8Array> = {};
    let problem: RunFileError | undefined;
    for (const [path, listed] of Object.entries(manifest.files)) {
      if (known.get(path) === listed.sha256) continue;
      const places = [path, ...(listed.staged === undefined ? [] : [listed.staged])];
      const found = await Promise.all(places.map((place) => readListed(join(folder, place), listed)));
      const content = found.find((each) => each.content)?.content;
      if (!content)
        problem = new RunFileError(folder, path, found[0].problem ?? 'expected content, got none');
      else contents[path] = content;
      if (problem) break;
    }
    if (!problem) return { files: withoutStages(manifest.files), contents };
    // Whoever trains has replaced or dropped a file since its manifest was read: the next one is complete.
    const isSame = JSON.stringify(await readManifest(folder)) === JSON.stringify(manifest);
    if (i >= tries || (isSame && i >= 3)) throw problem;
    await setTimeout(10);
  }
}

const withoutStages = (files: Readonly<Record<string, ListedFile>>): Record<string, ListedFile> =>
  Object.fromEntries(Object.entries(files).map(([path, { bytes, sha256 }]) => [path, { bytes, sha256 }]));

/**
 * Makes a folder of these files and no others of a run, all of them or none; whoever trains in it is an error. Only names of a
 * run's files are taken, so nothing is ever written beside the folder.
 */
export async function writeRunFiles(
  folder: string,
  files: Readonly<Record<string, FileContent>>,
): Promise<void> {
  const other = Object.keys(files).find((path) => !isRunFile(path));
  if (other !== undefined) {
    throw new Error(`run: expected names of a run's files, got ${JSON.stringify(other.slice(0, 100))}`);
  }
  const run = await claimFolder(folder);
  try {
    const remove = Object.keys(run.manifest.files).filter((path) => !(path in files));
    await run.commit({ write: files, remove });
  } finally {
    await run.release();
  }
}

/** The checksum by which manifests know a content. */
export const checksumOf = (content: FileContent): string =>
  createHash('sha256').update(content).digest('hex');
