/**
 * A run as a folder:
 *
 *   manifest-<n>.json              whose the folder is, and every file with size and checksum; see `owned-folder.ts`
 *   config.json                    everything its numbers depend on, beside the backend
 *   environment.json               versions and device, an entry for each time it was started
 *   metrics.jsonl                  a line for each epoch
 *   checkpoints/step-<n>/          the latest states: parameters, optimiser, position, the metrics up to there
 *   snapshots/epoch-<n>.safetensors  parameters of the epochs that are best for some metric
 *   summary.json, attention.json   when it is done; see `finish-run.ts`
 *
 * Here are the readers: each checks the file against the manifest, where there is one, and what it says. A folder without a
 * manifest is one of an older release, or was made by hand.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkAttention,
  checkEnvironments,
  checkEpochs,
  checkPosition,
  checkResult,
} from '../run/check-record.ts';
import { resolveRun } from '../run/run-config.ts';
import type { RunConfig, RunSettings } from '../run/run-config.ts';
import { nodeCountOf } from '../run/run-dataset.ts';
import { checkpointFolder, snapshotPath } from '../run/run-files.ts';
import type { AttentionRecord, Environment, EpochRecord, RunResult } from '../run/run-record.ts';
import type { Checkpoint, Position } from '../training/checkpoint.ts';
import { parseJson, textOf } from './json-text.ts';
import { linesProblem } from './lines-problem.ts';
import { RunFileError } from './run-file-error.ts';
import { isListed, namesIn, readManifest, readOwnedFile } from './manifest-file.ts';

export type { AttentionRecord, Environment, EpochRecord, RunResult } from '../run/run-record.ts';

/** The configuration of the run in a folder; undefined where there is none. */
export async function readConfig(folder: string): Promise<RunConfig | undefined> {
  const settings = await readJson(folder, 'config.json');
  if (settings === undefined) return undefined;
  return within(folder, 'config.json', () => resolveRun(settings as RunSettings));
}

/** The metrics of every epoch so far, in order. Where no manifest vouches for their number, the other files must. */
export async function readEpochs(folder: string): Promise<EpochRecord[]> {
  const epochs = await readEpochLines(folder);
  if (isListed(await readManifest(folder))) return epochs;
  const [result, step] = [await readResult(folder), (await checkpointSteps(folder)).at(0)];
  const problem = linesProblem(epochs.length, {
    ...(step !== undefined && { latest: { step, epoch: (await readPosition(folder, step)).epoch } }),
    // Whoever only reads can do without checkpoints.
    isLatest: step !== undefined,
    ...(result && { result }),
  });
  if (problem !== undefined) throw new RunFileError(folder, 'metrics.jsonl', problem);
  return epochs;
}

/** The same as they stand in metrics.jsonl, however many these are. */
export async function readEpochLines(folder: string): Promise<EpochRecord[]> {
  return (await readEpochsOf(folder, 'metrics.jsonl')) ?? [];
}

async function readEpochsOf(folder: string, path: string): Promise<EpochRecord[] | undefined> {
  const bytes = await readOwnedFile(folder, path);
  if (!bytes) return undefined;
  const lines = textOf(folder, path, bytes)
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => parseJson(folder, `${path}, line ${i + 1}`, line));
  within(folder, path, () => checkEpochs(lines));
  return lines as EpochRecord[];
}

/** The machines and backends that a run was trained on, one entry for each time it was started. */
export async function readEnvironments(folder: string): Promise<Environment[]> {
  const found = (await readJson(folder, 'environment.json')) ?? [];
  within(folder, 'environment.json', () => checkEnvironments(found));
  return found as Environment[];
}

/** Undefined if the run is not done. */
export async function readResult(folder: string): Promise<RunResult | undefined> {
  const found = await readJson(folder, 'summary.json');
  if (found !== undefined) within(folder, 'summary.json', () => checkResult(found));
  return found as RunResult | undefined;
}

/** The attention of a few examples as the finished run wrote it; undefined if there is none. */
export async function readAttention(folder: string): Promise<AttentionRecord | undefined> {
  const found = await readJson(folder, 'attention.json');
  const config = await readConfig(folder);
  if (found === undefined || !config) return undefined;
  within(folder, 'attention.json', () => checkAttention(found, nodeCountOf(config)));
  return found as AttentionRecord;
}

/** The parameters after an epoch; undefined if they were not kept. */
export async function readSnapshot(folder: string, epoch: number): Promise<Uint8Array | undefined> {
  return readOwnedFile(folder, snapshotPath(epoch));
}

/** The latest state; undefined where there is none. */
export async function readCheckpoint(folder: string): Promise<Checkpoint | undefined> {
  const latest = (await checkpointSteps(folder)).at(0);
  return latest === undefined ? undefined : readCheckpointAt(folder, latest);
}

/** A state, and the metrics of the epochs before it where they were kept with it. */
export async function readCheckpointAt(
  folder: string,
  step: number,
): Promise<Checkpoint & { readonly epochs?: readonly EpochRecord[] }> {
  const path = checkpointFolder(step);
  const bytesOf = async (name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const bytes = await readOwnedFile(folder, `${path}/${name}`);
    if (bytes) return bytes;
    throw new RunFileError(folder, `${path}/${name}`, 'expected a file, got none');
  };
  const position = await readPosition(folder, step);
  const epochs = await readEpochsOf(folder, `${path}/metrics.jsonl`);
  return {
    parameters: await bytesOf('parameters.safetensors'),
    adam: await bytesOf('adam.safetensors'),
    position,
    ...(epochs && { epochs }),
  };
}

async function readPosition(folder: string, step: number): Promise<Position> {
  const path = `${checkpointFolder(step)}/position.json`;
  const position = await readJson(folder, path);
  within(folder, path, () => checkPosition(position));
  return position as Position;
}

/** The steps of all checkpoints, latest first. */
export async function checkpointSteps(folder: string): Promise<number[]> {
  const manifest = await readManifest(folder);
  const names = isListed(manifest)
    ? Object.keys(manifest.files).map(
        (path) => /^checkpoints\/(step-\d+)\/position\.json$/.exec(path)?.[1] ?? '',
      )
    : await namesIn(join(folder, 'checkpoints'));
  return names
    .flatMap((name) => (/^step-\d{8,15}$/.test(name) ? Number(name.slice(5)) : []))
    .sort((a, b) => b - a);
}

/** The epochs of which parameters were kept, in no order. */
export async function snapshotEpochs(folder: string): Promise<number[]> {
  const manifest = await readManifest(folder);
  const names = isListed(manifest)
    ? Object.keys(manifest.files).map((path) => /^snapshots\/(.*)$/.exec(path)?.[1] ?? '')
    : await namesIn(join(folder, 'snapshots'));
  return names.flatMap((name) => /^epoch-(\d{4,7})\.safetensors$/.exec(name)?.[1] ?? []).map(Number);
}

/** What a search for runs can be told. */
export interface FindRunsOptions {
  /** Called with a folder that cannot be looked into, and why; it goes on if that does not throw. An error unless given. */
  readonly onUnreadable?: (folder: string, error: unknown) => void;
}

/** Every folder below `root`, itself included, that holds a run, in order of path. */
export async function findRuns(
  root: string,
  {
    onUnreadable = (_, error) => {
      throw error;
    },
  }: FindRunsOptions = {},
): Promise<string[]> {
  const found: string[] = [];
  /** The folders in which to look further; none in a run. */
  const foldersIn = async (folder: string): Promise<string[]> => {
    if ((await isThere(join(folder, 'config.json'))) || isListed(await readManifest(folder))) {
      found.push(folder);
      return [];
    }
    const entries = await readdir(folder, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return folders.sort((a, b) => (a < b ? -1 : 1)).map((name) => join(folder, name));
  };
  const visit = async (folder: string): Promise<void> => {
    const folders = await foldersIn(folder).catch((error: unknown) => {
      onUnreadable(folder, error);
      return [];
    });
    for (const each of folders) await visit(each);
  };
  await visit(root);
  return found;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

async function readJson(folder: string, path: string): Promise<unknown> {
  const bytes = await readOwnedFile(folder, path);
  return bytes && parseJson(folder, path, textOf(folder, path, bytes));
}

function within<T>(folder: string, path: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new RunFileError(folder, path, (error as Error).message);
  }
}
