/** A run that was saved before or trained elsewhere, from files: a run folder, also as a zip file, or parameters alone. */
import { resolveRun } from '@flowgrad/evaluation';
import type { EpochRecord, Position, RunConfig, RunSettings, Snapshot } from '@flowgrad/evaluation';
import { decodeSafetensors } from '@flowgrad/nn';
import type { StoredRun } from '../protocol/training-protocol.ts';
import { readZip } from './read-zip.ts';

export interface OpenedRun {
  readonly config: RunConfig;
  readonly stored: StoredRun;
}

/** A file and where it lies in the folder that was opened, with `/` between parts. */
export interface OpenedFile {
  readonly path: string;
  bytes(this: void): Promise<Uint8Array<ArrayBuffer>>;
}

const where = 'open';
const snapshotPattern = /^snapshots\/epoch-(\d+)\.safetensors$/;

export async function readRun(files: readonly OpenedFile[]): Promise<OpenedRun> {
  const config = shallowest(files, /(^|\/)config\.json$/);
  if (config) return readRunFolder(files, config);
  const zip = shallowest(files, /\.zip$/);
  if (zip) return readRun(readZip(zip.path, await zip.bytes()));
  const checkpoint = shallowest(files, /\.safetensors$/);
  if (!checkpoint) {
    const names = files.slice(0, 3).map(({ path }) => path);
    throw new Error(
      `${where}: expected a run folder, a .zip or a .safetensors file, got ${names.join(', ') || 'nothing'}`,
    );
  }
  const parameters = await checkpoint.bytes();
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
  const config = configOf(configFile.path, textOf(await configFile.bytes()));
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
  if (!adam || !position) return { config, stored: { parameters: await parameters.bytes() } };
  const reached = parse(position.path, textOf(await position.bytes())) as Position;
  const stored: StoredRun = {
    parameters: await parameters.bytes(),
    adam: await adam.bytes(),
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
  const epochs = metrics ? readEpochs(metrics.path, textOf(await metrics.bytes())) : [];
  const snapshots: Snapshot[] = [];
  for (const [name, file] of inside) {
    const epoch = Number(snapshotPattern.exec(name)?.[1] ?? Infinity);
    if (epoch <= reached) snapshots.push({ epoch, parameters: await file.bytes() });
  }
  return { epochs: epochs.filter(({ epoch }) => epoch <= reached), snapshots };
}

const shallowest = (files: readonly OpenedFile[], pattern: RegExp): OpenedFile | undefined =>
  files
    .filter(({ path }) => pattern.test(path))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)[0];

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const configOf = (path: string, text: string): RunConfig => resolveRun(parse(path, text) as RunSettings);

const readEpochs = (path: string, text: string): EpochRecord[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parse(path, line) as EpochRecord);

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${where}: expected JSON in ${path}, got something else (${(error as Error).message})`);
  }
}
