/** A run that was saved before or trained elsewhere, from files: a run folder, or parameters alone. */
import { checkEpochs, checkPosition, resolveRun } from '@flowgrad/evaluation';
import type { EpochRecord, Position, RunConfig, RunSettings, Snapshot } from '@flowgrad/evaluation';
import { decodeSafetensors } from '@flowgrad/nn';
import type { StoredRun } from '../protocol/training-protocol.ts';
import { bytesOf, shallowest } from './opened-file.ts';
import type { OpenedFile } from './opened-file.ts';
import { readLimits } from './read-limits.ts';

export interface OpenedRun {
  readonly config: RunConfig;
  readonly stored: StoredRun;
}

const where = 'open';
export const configPattern = /(^|\/)config\.json$/;
const snapshotPattern = /^snapshots\/epoch-(\d+)\.safetensors$/;

/** Every file is read only if it keeps to `readLimits`. */
export async function readRun(files: readonly OpenedFile[]): Promise<OpenedRun> {
  const config = shallowest(files, configPattern);
  if (config) return readRunFolder(files, config);
  const checkpoint = shallowest(files, /\.safetensors$/);
  if (!checkpoint) {
    const names = files.slice(0, 3).map(({ path }) => path);
    throw new Error(
      `${where}: expected a run folder, a .zip or a .safetensors file, got ${names.join(', ') || 'nothing'} ` +
        '(a dataset folder has manifest.json, edges.tsv and examples.tsv)',
    );
  }
  const parameters = await bytesOf(checkpoint);
  const run = decodeSafetensors(parameters).metadata.get('run');
  if (run === undefined) {
    throw new Error(
      `${where}: expected a checkpoint with its run's configuration as metadata 'run', got ${checkpoint.path} without ` +
        '(one saved by this page or by a training run of Flowgrad has it)',
    );
  }
  return { config: configOf(checkpoint.path, run), stored: { parameters } };
}

/** The latest checkpoint with its optimiser, so that training goes on; else the latest snapshot. */
async function readRunFolder(files: readonly OpenedFile[], configFile: OpenedFile): Promise<OpenedRun> {
  const root = configFile.path.replace(/config\.json$/, '');
  const config = configOf(configFile.path, await textOf(configFile));
  const inside = new Map(
    files.filter(({ path }) => path.startsWith(root)).map((file) => [file.path.slice(root.length), file]),
  );
  const names = [...inside.keys()].sort();
  const folder = names.findLast((name) => /^checkpoints\/step-\d+\/parameters\.safetensors$/.test(name));
  const [parameters, adam, position] = folder
    ? ['parameters.safetensors', 'adam.safetensors', 'position.json'].map((name) =>
        inside.get(folder.replace('parameters.safetensors', name)),
      )
    : [inside.get(names.findLast((name) => snapshotPattern.test(name)) ?? '')];
  if (!parameters) {
    throw new Error(`${where}: expected a checkpoint or a snapshot in ${root || 'the folder'}, got neither`);
  }
  if (!adam || !position) return { config, stored: { parameters: await bytesOf(parameters) } };
  const reached = positionOf(position.path, await textOf(position));
  const stored: StoredRun = {
    parameters: await bytesOf(parameters),
    adam: await bytesOf(adam),
    position: reached,
    ...(await readHistory(inside, reached.epoch)),
  };
  return { config, stored };
}

/** What is newer than the checkpoint comes again. */
async function readHistory(
  inside: ReadonlyMap<string, OpenedFile>,
  reached: number,
): Promise<Required<Pick<StoredRun, 'epochs' | 'snapshots'>>> {
  const metrics = inside.get('metrics.jsonl');
  const epochs = metrics ? epochsOf(metrics.path, await textOf(metrics)) : [];
  const snapshots: Snapshot[] = [];
  let room: number = readLimits.totalBytes;
  for (const [name, file] of inside) {
    const epoch = Number(snapshotPattern.exec(name)?.[1] ?? Infinity);
    if (epoch > reached) continue;
    snapshots.push({ epoch, parameters: await bytesOf(file, Math.min(room, readLimits.fileBytes)) });
    room -= file.size;
  }
  return { epochs: epochs.filter(({ epoch }) => epoch <= reached), snapshots };
}

const textOf = async (file: OpenedFile): Promise<string> =>
  new TextDecoder().decode(await bytesOf(file, readLimits.textBytes));

function configOf(path: string, text: string): RunConfig {
  const settings = parse(path, text);
  try {
    return resolveRun(settings as RunSettings);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${where}: expected a run's configuration in ${path}, got another (${message})`);
  }
}

function positionOf(path: string, text: string): Position {
  const position: unknown = parse(path, text);
  try {
    checkPosition(position);
    return position;
  } catch {
    throw new Error(`${where}: expected epoch and losses in ${path}, got something else`);
  }
}

function epochsOf(path: string, text: string): readonly EpochRecord[] {
  const lines: readonly unknown[] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parse(path, line));
  try {
    checkEpochs(lines);
    return lines;
  } catch (error) {
    throw new Error(`${where}: ${path}: ${(error as Error).message}`);
  }
}

function parse(path: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${where}: expected JSON in ${path}, got something else (${(error as Error).message})`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${where}: expected an object of JSON in ${path}, got ${text.slice(0, 20)}`);
}
