/** A run that was trained elsewhere, from files: a run folder of Node, or a checkpoint by itself. */
import { resolveRun } from '@flowgrad/evaluation';
import type { EpochMetrics, Position, RunConfig, RunSettings } from '@flowgrad/evaluation';
import { decodeSafetensors } from '@flowgrad/nn';
import type { StoredRun } from '../protocol/training-protocol.ts';

export interface OpenedRun {
  readonly config: RunConfig;
  readonly stored: StoredRun;
  /** Its metrics so far, where they are known. */
  readonly epochs: readonly EpochMetrics[];
}

/** A file and where it lies in the folder that was opened, with `/` between parts. */
export interface OpenedFile {
  readonly path: string;
  bytes(this: void): Promise<Uint8Array<ArrayBuffer>>;
}

const where = 'open';

export async function readRun(files: readonly OpenedFile[]): Promise<OpenedRun> {
  const config = shallowest(files, /(^|\/)config\.json$/);
  if (config) return readRunFolder(files, config);
  const checkpoint = shallowest(files, /\.safetensors$/);
  if (!checkpoint) {
    const names = files.slice(0, 3).map(({ path }) => path);
    throw new Error(
      `${where}: expected a run folder or a .safetensors file, got ${names.join(', ') || 'nothing'}`,
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
  return { config: configOf(checkpoint.path, run), stored: { parameters }, epochs: [] };
}

/** The latest checkpoint with its optimiser, so that training goes on; else the latest snapshot. */
async function readRunFolder(files: readonly OpenedFile[], configFile: OpenedFile): Promise<OpenedRun> {
  const root = configFile.path.replace(/config\.json$/, '');
  const config = configOf(configFile.path, textOf(await configFile.bytes()));
  const inside = new Map(
    files.filter(({ path }) => path.startsWith(root)).map((file) => [file.path.slice(root.length), file]),
  );
  const metrics = await inside.get('metrics.jsonl')?.bytes();
  const epochs = metrics ? readEpochs(configFile.path, textOf(metrics)) : [];
  const names = [...inside.keys()].sort();
  const folder = names.findLast((name) => /^checkpoints\/step-\d+\/parameters\.safetensors$/.test(name));
  const [parameters, adam, position] = folder
    ? ['parameters.safetensors', 'adam.safetensors', 'position.json'].map((name) =>
        inside.get(folder.replace('parameters.safetensors', name)),
      )
    : [inside.get(names.findLast((name) => /^snapshots\/.*\.safetensors$/.test(name)) ?? '')];
  if (!parameters) {
    throw new Error(`${where}: expected a checkpoint or a snapshot in ${root || 'the folder'}, got neither`);
  }
  const stored: StoredRun = {
    parameters: await parameters.bytes(),
    ...(adam &&
      position && {
        adam: await adam.bytes(),
        position: parse(position.path, textOf(await position.bytes())) as Position,
      }),
  };
  return { config, stored, epochs };
}

const shallowest = (files: readonly OpenedFile[], pattern: RegExp): OpenedFile | undefined =>
  files
    .filter(({ path }) => pattern.test(path))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)[0];

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const configOf = (path: string, text: string): RunConfig => resolveRun(parse(path, text) as RunSettings);

const readEpochs = (path: string, text: string): EpochMetrics[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parse(path, line) as EpochMetrics);

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new Error(`${where}: expected JSON in ${path}, got something else (${(error as Error).message})`);
  }
}
