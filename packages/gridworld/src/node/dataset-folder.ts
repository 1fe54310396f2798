/** GridDataset folders: the authors' text layout plus a manifest, written atomically and verified on reading. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { GridDataset } from '../dataset/dataset.ts';
import {
  checkFile,
  createManifest,
  decodeManifest,
  encodeManifest,
  MANIFEST_FILE,
} from '../text-layout/dataset-manifest.ts';
import type { FileChecksum } from '../text-layout/dataset-manifest.ts';
import { decodeTextLayout, encodeTextLayout, TEXT_FILES } from '../text-layout/text-layout.ts';
import type { TextFile } from '../text-layout/text-layout.ts';
import { withProcess } from '../text-layout/with-process.ts';
import { writeFolder } from '@flowgrad/files/node';
import type { WriteOptions } from '@flowgrad/files/node';
import { readTextFile } from './read-text-file.ts';

/** Writes `folder` as a whole or not at all. */
export async function writeDataset(
  folder: string,
  dataset: GridDataset,
  options: WriteOptions = {},
): Promise<void> {
  const layout = encodeTextLayout(dataset);
  const checksums = Object.fromEntries(TEXT_FILES.map((file) => [file, checksumOf(layout[file])]));
  const manifest = createManifest(dataset, checksums as Record<TextFile, FileChecksum>);
  await writeFolder(folder, { ...layout, [MANIFEST_FILE]: encodeManifest(manifest, sha256) }, options);
}

/**
 * Reads what `writeDataset` wrote. Whatever is missing, truncated or edited is an error that names the file.
 */
export async function readDataset(folder: string): Promise<GridDataset> {
  const manifest = decodeManifest(await readTextFile(join(folder, MANIFEST_FILE)), sha256);
  const layout = {} as Record<TextFile, string>;
  for (const file of TEXT_FILES) {
    layout[file] = await readTextFile(join(folder, file));
    checkFile(file, manifest, checksumOf(layout[file]));
  }
  const data = decodeTextLayout(layout, { size: manifest.parameters.size });
  return withProcess(data, manifest.parameters, manifest.seed);
}

function checksumOf(text: string): FileChecksum {
  return { bytes: Buffer.byteLength(text), sha256: sha256(text) };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
