/** The files of a run folder, by their names in it; what they are for is said in `node/run-folder.ts`. */
import type { Checkpoint } from '../training/checkpoint.ts';
import type { RunConfig } from './run-config.ts';
import type { EpochRecord } from './run-record.ts';

type Files = Record<string, string | Uint8Array<ArrayBuffer>>;

/** The parameters after an epoch, as a safetensors file. */
export interface Snapshot {
  readonly epoch: number;
  readonly parameters: Uint8Array<ArrayBuffer>;
}

/** A run that is under way. */
export interface RunUnderWay {
  readonly config: RunConfig;
  /** Updates made so far. */
  readonly step: number;
  readonly checkpoint: Checkpoint;
  readonly epochs: readonly EpochRecord[];
  /** Of the epochs that are best for some metric. */
  readonly snapshots: readonly Snapshot[];
}

export const checkpointFolder = (step: number): string => `checkpoints/step-${String(step).padStart(8, '0')}`;
export const snapshotPath = (epoch: number): string =>
  `snapshots/epoch-${String(epoch).padStart(4, '0')}.safetensors`;
export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
export const jsonLines = (values: readonly unknown[]): string =>
  values.map((each) => `${JSON.stringify(each)}\n`).join('');

/** The files of a state in a folder of the run. */
export const checkpointFiles = (folder: string, { position, parameters, adam }: Checkpoint): Files => ({
  [`${folder}/parameters.safetensors`]: parameters,
  [`${folder}/adam.safetensors`]: adam,
  [`${folder}/position.json`]: jsonText(position),
});

/** All that Node needs to go on with the run, with `/` between the parts of a name. */
export function runFiles({ config, step, checkpoint, epochs, snapshots }: RunUnderWay): Files {
  return {
    'config.json': jsonText(config),
    'metrics.jsonl': jsonLines(epochs),
    ...checkpointFiles(checkpointFolder(step), checkpoint),
    ...Object.fromEntries(snapshots.map(({ epoch, parameters }) => [snapshotPath(epoch), parameters])),
  };
}
