/** Reading and writing the layout in which the paper's authors publish their datasets. */
import { join } from 'node:path';
import type { TrajectoryDataset } from '../dataset/dataset.ts';
import { MANIFEST_FILE } from '../text-layout/dataset-manifest.ts';
import { decodeTextLayout, encodeTextLayout, TEXT_FILES } from '../text-layout/text-layout.ts';
import type { TextFile, TextLayoutOptions } from '../text-layout/text-layout.ts';
import { writeFolder } from '@flowgrad/files/node';
import type { WriteOptions } from '@flowgrad/files/node';
import { readTextFile } from './read-text-file.ts';

/**
 * Writes a dataset into a folder as the text files of the paper's code: all of them, or none if something fails.
 */
export async function writeTextLayout(
  folder: string,
  data: TrajectoryDataset,
  options: WriteOptions = {},
): Promise<void> {
  await writeFolder(folder, encodeTextLayout(data), { ...options, alsoReplaces: [MANIFEST_FILE] });
}

/** For the ceiling of what was read, tell how it was generated: `withProcess(data, 'SINE-SZ32-…', seed)`. */
export async function readTextLayout(
  folder: string,
  options: TextLayoutOptions = {},
): Promise<TrajectoryDataset> {
  const layout = {} as Record<TextFile, string>;
  for (const file of TEXT_FILES) layout[file] = await readTextFile(join(folder, file));
  return decodeTextLayout(layout, options);
}
