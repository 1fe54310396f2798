/** What is wrong with a run folder, and from where its run can go on: for resuming and for `flowgrad doctor`. */
import { epochsToKeep, rankingOf } from '../metrics/best-epochs.ts';
import type { RunConfig } from '../run/run-config.ts';
import { checkpointFolder, snapshotPath } from '../run/run-files.ts';
import type { Environment, EpochRecord, RunResult } from '../run/run-record.ts';
import type { Checkpoint } from '../training/checkpoint.ts';
import { describeOwner, ownerState } from './folder-owner.ts';
import { linesProblem } from './lines-problem.ts';
import { traceOfManifest } from './lost-manifest.ts';
import { foreignNames, isListed, readManifest, readOwnedFile } from './manifest-file.ts';
import { RunFileError } from './run-file-error.ts';
import {
  checkpointSteps,
  readAttention,
  readCheckpointAt,
  readConfig,
  readEnvironments,
  readEpochLines,
  readResult,
  readSnapshot,
  snapshotEpochs,
} from './run-folder.ts';

/** A file of a run that is not as it should be, and how. */
export interface Finding {
  /** Its path in the folder. */
  readonly file: string;
  readonly problem: string;
}

/** A checkpoint of which every file is whole. */
export interface KeptCheckpoint extends Checkpoint {
  readonly step: number;
  /** The metrics of the epochs before it, where they are to be had. */
  readonly epochs?: readonly EpochRecord[];
}

/** What is whole in the folder of a run, what is damaged, and from where the run can go on. */
export interface RunExamination {
  /** Absent where it is damaged; so are the next three. */
  readonly config?: RunConfig;
  readonly epochs?: readonly EpochRecord[];
  readonly environments?: readonly Environment[];
  readonly result?: RunResult;
  /** Those that are whole, latest first. */
  readonly checkpoints: readonly KeptCheckpoint[];
  readonly findings: readonly Finding[];
  /** Whether a manifest lists the files: not in folders of older releases. */
  readonly isListed: boolean;
  /** The process that works in it, or that ended without tidying up. */
  readonly owner?: { readonly name: string; readonly state: 'alive' | 'dead' | 'unknown' };
  /** Names that are not the run's. */
  readonly foreign: readonly string[];
  /** Epochs after which the run can go on: 0 for the very beginning. */
  readonly fromEpochs: readonly number[];
}

/** Reads every file of a run and says what it found; it changes nothing, and damage is no error. */
export async function examineRun(folder: string): Promise<RunExamination> {
  for (let tries = 1; ; tries++) {
    const before = JSON.stringify(await readManifest(folder));
    const examined = await examineFiles(folder);
    // An owner at work may have changed some files between the first and the last that were read.
    const hasMoved = JSON.stringify(await readManifest(folder)) !== before;
    if (examined.findings.length === 0 || !hasMoved || tries === 10) return examined;
  }
}

async function examineFiles(folder: string): Promise<RunExamination> {
  const findings = new Map<string, string>();
  const attempt = async <T>(file: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const isOurs = error instanceof RunFileError;
      const problem = code === undefined ? message : `expected to read it, got ${code}`;
      const [at, found] = isOurs ? [error.file, error.problem] : [file, problem];
      if (!findings.has(at)) findings.set(at, found);
      return undefined;
    }
  };
  const manifest = await readManifest(folder);
  const trace = await attempt('checkpoints', () => traceOfManifest(folder));
  if (trace !== undefined)
    findings.set('manifest-*.json', `expected the manifest of a run, got none beside ${trace}`);
  for (const path of Object.keys(manifest?.files ?? {})) {
    await attempt(path, () => readOwnedFile(folder, path));
  }
  const config = await attempt('config.json', () => readConfig(folder));
  const epochs = await attempt('metrics.jsonl', () => readEpochLines(folder));
  const environments = await attempt('environment.json', () => readEnvironments(folder));
  const result = await attempt('summary.json', () => readResult(folder));
  await attempt('attention.json', () => readAttention(folder));
  const checkpoints: KeptCheckpoint[] = [];
  const steps = (await attempt('checkpoints', () => checkpointSteps(folder))) ?? [];
  for (const step of steps) {
    const read = await attempt(checkpointFolder(step), () => readCheckpointAt(folder, step));
    if (!read) continue;
    const { epoch } = read.position;
    if (config && epoch > config.epochs) {
      const problem = `expected at most the ${config.epochs} epochs of config.json, got ${epoch}`;
      findings.set(`${checkpointFolder(step)}/position.json`, problem);
      continue;
    }
    const before = read.epochs ?? (epochs && epochs.length >= epoch ? epochs.slice(0, epoch) : undefined);
    checkpoints.push({ ...read, step, ...(before && { epochs: before }) });
  }
  const latest = checkpoints.at(0);
  const lines =
    epochs &&
    linesProblem(epochs.length, {
      ...(latest && { latest: { step: latest.step, epoch: latest.position.epoch } }),
      isLatest: latest?.step === steps.at(0),
      ...(result && { result }),
    });
  if (lines !== undefined) findings.set('metrics.jsonl', lines);
  const snapshots = (await attempt('snapshots', () => snapshotEpochs(folder))) ?? [];
  for (const epoch of snapshots) await attempt(snapshotPath(epoch), () => readSnapshot(folder, epoch));
  for (const epoch of result ? [] : epochsToKeep(latest?.epochs ?? [], config && rankingOf(config))) {
    if (!snapshots.includes(epoch)) findings.set(snapshotPath(epoch), 'expected a file, got none');
  }
  const isWhole = (path: string): boolean => !findings.has(path);
  return {
    ...(config && { config }),
    ...(epochs && { epochs }),
    ...(environments && { environments }),
    ...(result && { result }),
    checkpoints,
    findings: Array.from(findings, ([file, problem]) => ({ file, problem })),
    isListed: isListed(manifest),
    ...(manifest?.owner && {
      owner: { name: describeOwner(manifest.owner), state: ownerState(manifest.owner) },
    }),
    foreign: isListed(manifest) ? await foreignNames(folder) : [],
    fromEpochs: restartEpochs(checkpoints, config, isWhole),
  };
}

/** A checkpoint serves if its epochs' metrics are there, and no snapshot that may be needed is damaged. */
function restartEpochs(
  checkpoints: readonly KeptCheckpoint[],
  config: RunConfig | undefined,
  isWhole: (path: string) => boolean,
): number[] {
  const serving = checkpoints.filter(
    ({ position, epochs }) =>
      config !== undefined &&
      position.epoch <= config.epochs &&
      epochs?.length === position.epoch &&
      [...epochsToKeep(epochs, rankingOf(config))].every((epoch) => isWhole(snapshotPath(epoch))),
  );
  return [...new Set([0, ...serving.map(({ position }) => position.epoch)])].sort((a, b) => a - b);
}
