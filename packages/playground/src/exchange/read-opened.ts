/** What a person opened, from files: a run or a dataset, each as a folder or as a zip file. */
import { DATASET_FILES } from '@flowgrad/data';
import type { DataFiles } from '../data/data-files.ts';
import { bytesOf, shallowest } from './opened-file.ts';
import type { OpenedFile } from './opened-file.ts';
import { readLimits } from './read-limits.ts';
import { configPattern, readRun } from './read-run.ts';
import type { OpenedRun } from './read-run.ts';
import { readZip } from './read-zip.ts';

export type Opened =
  ({ readonly kind: 'run' } & OpenedRun) | { readonly kind: 'data'; readonly files: DataFiles };

/** Any of them says that a folder is a dataset, unless it is a run; the reader says what is missing. */
const dataPattern = /(^|\/)(edges|examples|nodes)\.tsv$/;

/** Every file is read only if it keeps to `readLimits`. A zip file in a zip file is not opened: one can hold itself. */
export async function readOpened(files: readonly OpenedFile[]): Promise<Opened> {
  const isFolder = shallowest(files, configPattern) ?? shallowest(files, dataPattern);
  const zip = isFolder ? undefined : shallowest(files, /\.zip$/);
  const unpacked = zip ? readZip(zip.path, await bytesOf(zip, readLimits.totalBytes)) : files;
  const table = shallowest(unpacked, configPattern) ? undefined : shallowest(unpacked, dataPattern);
  if (!table) return { kind: 'run', ...(await readRun(unpacked)) };
  return { kind: 'data', files: await dataFiles(unpacked, table.path.replace(/[^/]*$/, '')) };
}

async function dataFiles(files: readonly OpenedFile[], folder: string): Promise<DataFiles> {
  let room: number = readLimits.fileBytes;
  const found: [string, Blob][] = [];
  for (const name of DATASET_FILES) {
    const file = files.find(({ path }) => path === folder + name);
    if (!file) continue;
    found.push([name, new Blob([await bytesOf(file, room)])]);
    room -= file.size;
  }
  return Object.fromEntries(found);
}
