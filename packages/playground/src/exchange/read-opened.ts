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
  const zip = foldersIn(files).length > 0 ? undefined : shallowest(files, /\.zip$/);
  const unpacked = zip ? readZip(zip.path, await bytesOf(zip, readLimits.totalBytes)) : files;
  const folders = foldersIn(unpacked);
  if (folders.length > 1) {
    const found = [...named('dataset', folders), ...named('run', folders)].join('; ');
    throw new Error(`open: expected one dataset folder or one run folder, got ${found} (open one of them)`);
  }
  const [folder] = folders as (Folder | undefined)[];
  if (folder?.kind !== 'dataset') return { kind: 'run', ...(await readRun(unpacked)) };
  return { kind: 'data', files: await dataFiles(unpacked, folder.path) };
}

interface Folder {
  readonly kind: 'dataset' | 'run';
  /** Ends in a slash; empty for files that lie side by side. */
  readonly path: string;
}

/** Folders of datasets and of runs. What lies within one of them is its own affair: a dataset may have runs on it beside its tables. */
function foldersIn(files: readonly OpenedFile[]): Folder[] {
  const pathsOf = (pattern: RegExp): string[] =>
    files.filter(({ path }) => pattern.test(path)).map(({ path }) => path.replace(/[^/]*$/, ''));
  const runs = new Set(pathsOf(configPattern));
  const found: string[] = [];
  // In this order a folder comes right before all that lies within it.
  for (const path of [...runs, ...pathsOf(dataPattern)].sort()) {
    const last = found.at(-1);
    if (last === undefined || !path.startsWith(last)) found.push(path);
  }
  return found.map((path) => ({ kind: runs.has(path) ? 'run' : 'dataset', path }));
}

/** More are not named. */
const mostNamed = 5;

/** `2 datasets: all/line, all/ring`; nothing where there is none of the kind. */
function named(kind: Folder['kind'], folders: readonly Folder[]): string[] {
  const paths = folders.filter((folder) => folder.kind === kind).map(({ path }) => path.slice(0, -1));
  if (paths.length === 0) return [];
  const more = paths.length > mostNamed ? ', …' : '';
  return [
    `${paths.length} ${kind}${paths.length > 1 ? 's' : ''}: ${paths.slice(0, mostNamed).join(', ')}${more}`,
  ];
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
