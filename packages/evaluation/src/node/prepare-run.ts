/** What must hold of a folder before a run begins or goes on in it. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '@flowgrad/files/node';
import type { ListedFile } from '../run/manifest.ts';
import { isRunFile } from '../run/manifest.ts';
import { resolveRun } from '../run/run-config.ts';
import type { RunConfig, RunSettings } from '../run/run-config.ts';
import { jsonText } from '../run/run-files.ts';
import { nodeCountOf } from '../run/run-dataset.ts';
import type { EpochRecord, RunResult } from '../run/run-record.ts';
import { traceOfManifest } from './lost-manifest.ts';
import {
  foreignNames,
  isListed,
  isUntidy,
  listingOfFile,
  manifestNumbers,
  namesIn,
  readManifest,
} from './manifest-file.ts';
import type { OwnedFolder } from './owned-folder.ts';
import { readConfig, readEpochs, readResult } from './run-folder.ts';

interface Asked {
  readonly folder: string;
  readonly settings?: RunSettings;
  readonly resume?: boolean;
  readonly fromEpoch?: number;
}

interface FinishedRun {
  readonly config: RunConfig;
  readonly epochs: readonly EpochRecord[];
  readonly result: RunResult;
}

/**
 * Whether nothing is left to do in a folder: its run is done, whoever finished it has tidied up, and the manifest is
 * there if there was one.
 */
export async function isRunDone(folder: string): Promise<boolean> {
  if (!(await readResult(folder))) return false;
  const manifest = await readManifest(folder);
  if (!manifest) return (await traceOfManifest(folder)) === undefined;
  // The last thing that an owner does is to remove the manifest before its own.
  return !isUntidy(manifest) && (await manifestNumbers(folder)).length === 1;
}

/** The run of the folder, if it is done and nothing else was asked for. Throws if the folder does not suit. */
export async function readFinishedRun(asked: Asked): Promise<FinishedRun | undefined> {
  const config = await expectSuitable(asked);
  const isWanted = asked.fromEpoch === undefined && (await isRunDone(asked.folder));
  return isWanted ? finishedRun(config, asked) : undefined;
}

async function finishedRun(
  config: RunConfig,
  { folder, fromEpoch }: Asked,
): Promise<FinishedRun | undefined> {
  const result = fromEpoch === undefined ? await readResult(folder) : undefined;
  return result && { config, epochs: await readEpochs(folder), result };
}

/**
 * Makes the run in a folder that is owned now, or takes over the files of one without a manifest: of an older release,
 * or, if there was a trace of it, one that has lost it.
 */
export async function prepareRun(
  run: OwnedFolder,
  asked: Asked,
  { note, trace }: { readonly note: (text: string) => void; readonly trace: string | undefined },
): Promise<{ readonly config: RunConfig; readonly finished: FinishedRun | undefined }> {
  // Looked at once more: another process may have been there before this one got it.
  const config = await expectSuitable(asked);
  if (!isListed(run.manifest)) {
    const isThere = (await readConfig(run.folder)) !== undefined;
    if (isThere) note(await adopt(run, trace));
    else await run.commit({ write: { 'config.json': jsonText(config) } });
  }
  return { config, finished: await finishedRun(config, asked) };
}

/** Nothing is moved or deleted. Gives what is to be said of it. */
async function adopt(run: OwnedFolder, trace: string | undefined): Promise<string> {
  await run.commit({ adopt: await filesOfOlderRelease(run.folder) });
  const left = await foreignNames(run.folder);
  const without =
    trace === undefined
      ? 'has no manifest, as runs of older releases'
      : `has lost the manifest that ${trace} tells of`;
  return (
    `${run.folder} ${without}; its files are listed in one now` +
    (left.length === 0 ? '' : `, but not ${left.join(', ')}, which stay as they are`)
  );
}

/** The configuration of the run that is there, or of the one to begin. */
async function expectSuitable({ folder, settings, resume = false }: Asked): Promise<RunConfig> {
  const there = await readConfig(folder);
  const asked = settings && resolveRun(settings);
  if (!isListed(await readManifest(folder))) await expectNoOlderLock(folder);
  if (!there) {
    if (!asked) throw new Error(`train: expected a run in ${folder} to go on with, got none`);
    nodeCountOf(asked);
    const found = await foreignNames(folder);
    if (found.length === 0) return asked;
    const hint = found.some(isRunFile)
      ? 'of a run, but no config.json: put that back, or choose another folder'
      : 'choose another folder: a run shares its folder with nothing';
    throw new Error(
      `train: expected an empty folder, or none, for a new run, got ${folder} with ${someOf(found)} (${hint})`,
    );
  }
  if (!resume) {
    throw new Error(
      `train: expected no run in ${folder}, got one (--resume goes on with it; or choose another folder)`,
    );
  }
  if (asked && JSON.stringify(asked) !== JSON.stringify(there)) {
    const keys = Object.keys({ ...asked, ...there }) as (keyof RunConfig)[];
    const different = keys.filter((key) => JSON.stringify(asked[key]) !== JSON.stringify(there[key]));
    const show = (of: RunConfig): string =>
      different.map((key) => `${key} ${JSON.stringify(of[key])}`).join(', ');
    throw new Error(
      `train: expected the settings of the run in ${folder} (${show(there)}), got others (${show(asked)})`,
    );
  }
  return there;
}

const someOf = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

/** Older releases lock a folder by a file with their process number. */
async function expectNoOlderLock(folder: string): Promise<void> {
  const path = join(folder, 'lock');
  const content = await readIfThere(path);
  const pid = Number(content && Buffer.from(content).toString());
  if (!Number.isInteger(pid) || pid < 1) return;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is there all the same.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return;
  }
  throw new Error(
    `train: expected a run that nobody else is training, got ${folder}, locked by process ${pid} ` +
      `(wait for it; if it is not a training run, delete ${path})`,
  );
}

/** Every file with a name of a run's, as it lies there. */
async function filesOfOlderRelease(folder: string): Promise<Record<string, ListedFile>> {
  const files: Record<string, ListedFile> = {};
  const visit = async (below: string, depth: number): Promise<void> => {
    for (const name of (await namesIn(join(folder, below))).sort()) {
      const path = below + name;
      if (isRunFile(path)) {
        const place = join(folder, path);
        if ((await stat(place)).isFile()) files[path] = await listingOfFile(place);
      } else if (depth < 2 && /^(checkpoints|snapshots|(checkpoints\/)?[a-z-]*step-\d+)$/.test(path)) {
        await visit(`${path}/`, depth + 1);
      }
    }
  };
  await visit('', 0);
  return files;
}
