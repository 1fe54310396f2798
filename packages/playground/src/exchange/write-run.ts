/** A run of the page as the run folder that Node would have of it, in one file. */
import { runFiles, stepsDone } from '@flowgrad/evaluation';
import type { PreparedRun, SavedRun } from '../protocol/training-protocol.ts';
import { writeZip } from './write-zip.ts';

export interface WrittenRun {
  /** `GGNN-MulMlp-step-120`; the folder in the file has that name, too. */
  readonly name: string;
  readonly zip: Uint8Array<ArrayBuffer>;
}

export function writeRun({ config, stepsPerEpoch }: PreparedRun, saved: SavedRun): WrittenRun {
  const { epochs, snapshots, ...checkpoint } = saved;
  const step = stepsDone(checkpoint.position, stepsPerEpoch);
  const name = `${config.model}-step-${step}`;
  const files = Object.entries(runFiles({ config, step, checkpoint, epochs, snapshots }));
  const inFolder = Object.fromEntries(files.map(([path, content]) => [`${name}/${path}`, content]));
  return { name, zip: writeZip(inFolder) };
}
