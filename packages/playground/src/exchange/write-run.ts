/** A run of the page as the run folder that Node would have of it, in one file. */
import { manifestOf, runFiles, stepsDone } from '@flowgrad/evaluation';
import type { ListedFile } from '@flowgrad/evaluation';
import type { PreparedRun, SavedRun } from '../protocol/training-protocol.ts';
import { writeZip } from './write-zip.ts';

export interface WrittenRun {
  /** `GGNN-MulMlp-step-120`; the folder in the file has that name, too. */
  readonly name: string;
  readonly zip: Uint8Array<ArrayBuffer>;
}

export async function writeRun({ config, stepsPerEpoch }: PreparedRun, saved: SavedRun): Promise<WrittenRun> {
  const { epochs, snapshots, ...checkpoint } = saved;
  const step = stepsDone(checkpoint.position, stepsPerEpoch);
  const name = `${config.model}-step-${step}`;
  const files = runFiles({ config, step, checkpoint, epochs, snapshots });
  // A page from another machine without HTTPS has no checksums; Node lists the files when it opens the folder.
  const hasChecksums = (crypto.subtle as SubtleCrypto | undefined) !== undefined;
  const manifest = hasChecksums ? await manifestOf(files, measure) : {};
  const inFolder = Object.fromEntries(
    Object.entries({ ...files, ...manifest }).map(([path, content]) => [`${name}/${path}`, content]),
  );
  return { name, zip: writeZip(inFolder) };
}

async function measure(content: string | Uint8Array<ArrayBuffer>): Promise<ListedFile> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { bytes: bytes.length, sha256 };
}
