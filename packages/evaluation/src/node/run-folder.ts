/**
 * A run as a folder:
 *
 *   config.json                    everything its numbers depend on, beside the backend
 *   environment.json               versions and device, an entry for each time it was started
 *   metrics.jsonl                  a line for each epoch
 *   checkpoints/step-<n>/          the latest state: parameters, optimiser, position
 *   snapshots/epoch-<n>.safetensors  parameters of the epochs that are best for some metric
 *   summary.json, attention.json   when it is done; see `finish-run.ts`
 *
 * Every file appears whole. The order of writing at the end of an epoch (snapshot, metrics, checkpoint, then deleting
 * what is no longer needed) lets a run be killed between any two of them: what is newer than the latest checkpoint is
 * dropped and comes again.
 */
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile, writeFolder } from '@flowgrad/gridworld/node';
import { epochsToKeep } from '../metrics/best-epochs.ts';
import { resolveRun } from '../run/run-config.ts';
import type { RunConfig, RunSettings } from '../run/run-config.ts';
import { checkpointFiles, checkpointName, jsonLines, jsonText, snapshotName } from '../run/run-files.ts';
import type { Environment, EpochRecord } from '../run/run-record.ts';
import type { Checkpoint, Position } from '../training/checkpoint.ts';
import type { EpochMetrics } from '../training/training.ts';
import { parseJson, readIfThere } from './json-file.ts';

export type { Environment, EpochRecord } from '../run/run-record.ts';

/** The configuration of the run in a folder; undefined where there is none. */
export async function readConfig(folder: string): Promise<RunConfig | undefined> {
  const content = await readIfThere(join(folder, 'config.json'));
  return content === undefined
    ? undefined
    : resolveRun(parseJson(folder, 'config.json', content) as RunSettings);
}

export async function createRunFolder(folder: string, config: RunConfig): Promise<void> {
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, 'config.json'), jsonText(config));
}

export async function readEpochs(folder: string): Promise<EpochRecord[]> {
  const content = (await readIfThere(join(folder, 'metrics.jsonl'))) ?? '';
  return content
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => parseJson(folder, `metrics.jsonl, line ${i + 1}`, line) as EpochRecord);
}

export async function writeEpochs(folder: string, epochs: readonly EpochRecord[]): Promise<void> {
  await replaceFile(join(folder, 'metrics.jsonl'), jsonLines(epochs));
}

export async function readEnvironments(folder: string): Promise<Environment[]> {
  const content = await readIfThere(join(folder, 'environment.json'));
  return content === undefined ? [] : (parseJson(folder, 'environment.json', content) as Environment[]);
}

export async function addEnvironment(folder: string, environment: Environment): Promise<void> {
  const known = await readEnvironments(folder);
  await replaceFile(join(folder, 'environment.json'), jsonText([...known, environment]));
}

/** Writes the state after `step` updates and deletes older ones. */
export async function writeCheckpoint(folder: string, step: number, checkpoint: Checkpoint): Promise<void> {
  await writeFolder(join(folder, 'checkpoints', checkpointName(step)), checkpointFiles(checkpoint), {
    overwrite: true,
  });
  for (const name of await checkpointNames(folder)) {
    if (name !== checkpointName(step))
      await rm(join(folder, 'checkpoints', name), { recursive: true, force: true });
  }
}

/** Writes the state before the step that made a NaN, beside the checkpoints that a run goes on from. */
export async function writeBeforeNaN(folder: string, step: number, checkpoint: Checkpoint): Promise<string> {
  const target = join(folder, `before-step-${step}`);
  await writeFolder(target, checkpointFiles(checkpoint), { overwrite: true });
  return target;
}

/** The latest complete state; undefined where there is none. */
export async function readCheckpoint(folder: string): Promise<Checkpoint | undefined> {
  const latest = (await checkpointNames(folder)).at(-1);
  if (latest === undefined) return undefined;
  const path = join(folder, 'checkpoints', latest);
  const [parameters, adam, position] = await Promise.all([
    readFile(join(path, 'parameters.safetensors')),
    readFile(join(path, 'adam.safetensors')),
    readFile(join(path, 'position.json'), 'utf8'),
  ]);
  return {
    parameters: new Uint8Array(parameters),
    adam: new Uint8Array(adam),
    position: parseJson(path, 'position.json', position) as Position,
  };
}

/** Complete ones only, oldest first: those being written have other names. */
async function checkpointNames(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'checkpoints')).catch(() => []);
  return names.filter((name) => /^step-\d{8}$/.test(name)).sort();
}

export async function writeSnapshot(folder: string, epoch: number, parameters: Uint8Array): Promise<void> {
  await mkdir(join(folder, 'snapshots'), { recursive: true });
  await replaceFile(join(folder, 'snapshots', snapshotName(epoch)), parameters);
}

/** The parameters after an epoch; undefined if they were not kept. */
export async function readSnapshot(folder: string, epoch: number): Promise<Uint8Array | undefined> {
  return readFile(join(folder, 'snapshots', snapshotName(epoch))).catch(() => undefined);
}

/** Deletes the snapshots that are not among the best for any metric, and what a killed process left half written. */
export async function pruneRun(folder: string, epochs: readonly EpochMetrics[]): Promise<void> {
  const keep = new Set([...epochsToKeep(epochs)].map(snapshotName));
  const isStray = (name: string): boolean => /\.(tmp|old)-/.test(name);
  for (const part of ['.', 'checkpoints', 'snapshots']) {
    for (const name of await readdir(join(folder, part)).catch(() => [])) {
      if (isStray(name) || (part === 'snapshots' && !keep.has(name))) {
        await rm(join(folder, part, name), { recursive: true, force: true });
      }
    }
  }
}

/** Every folder below `root`, itself included, that holds a run, in order of path. */
export async function findRuns(root: string): Promise<string[]> {
  const found: string[] = [];
  const visit = async (folder: string): Promise<void> => {
    if (await isFile(join(folder, 'config.json'))) {
      found.push(folder);
      return;
    }
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.isDirectory()) await visit(join(folder, entry.name));
    }
  };
  await visit(root);
  return found;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
