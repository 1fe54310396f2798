/** Datasets as folders: read as a stream, written as a whole or not at all. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFolder } from '@flowgrad/files/node';
import type { FileContent, WriteOptions } from '@flowgrad/files/node';
import type { Dataset } from '../dataset.ts';
import { DATASET_FILES } from '../folder/files.ts';
import type { DatasetFile } from '../folder/files.ts';
import { readDataset } from '../folder/read-dataset.ts';
import { writeDataset } from '../folder/write-dataset.ts';

/** A dataset that was read from a folder, and what its files hash to. */
export type HashedDataset = Dataset & { readonly sha256: string };

/** Reads a dataset folder. Every mistake is an error that names the folder, the file and the line. */
export async function readDataFolder(folder: string): Promise<HashedDataset> {
  const hash = createHash('sha256');
  try {
    const dataset = await readDataset((file) => chunksOf(folder, file, hash));
    return { ...dataset, sha256: hash.digest('hex') };
  } catch (error) {
    const isOurs = error instanceof Error && /^[a-z]+\.(json|tsv)\b/.test(error.message);
    if (isOurs) error.message = join(folder, error.message);
    throw error;
  }
}

/** Undefined where there is no such file. All of its bytes go by the hash, whoever stops reading. */
async function chunksOf(
  folder: string,
  name: DatasetFile,
  hash: ReturnType<typeof createHash>,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    const file = await open(join(folder, name));
    if (!(await file.stat()).isFile()) {
      await file.close();
      throw new Error(`${name}: expected a file, got something else`);
    }
    hash.update(`${name}\n`);
    const stream = file.createReadStream({ highWaterMark: 2 ** 18 });
    return (async function* () {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        hash.update(chunk);
        yield chunk;
      }
    })();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes `folder` as a whole or not at all. */
export async function writeDataFolder(
  folder: string,
  dataset: Dataset,
  options: WriteOptions = {},
): Promise<void> {
  const files = writeDataset(dataset) as Record<string, FileContent>;
  await writeFolder(folder, files, { ...options, alsoReplaces: DATASET_FILES });
}
