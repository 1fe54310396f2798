/** The files of a dataset folder, as the page hands them to its workers: a blob is shared, not copied. */
import { DATASET_FILES } from '@flowgrad/data';
import type { DatasetFile } from '@flowgrad/data';
import { valueOf } from '@flowgrad/schema';

export type DataFiles = Readonly<Partial<Record<DatasetFile, Blob>>>;

const isFile = ([name, content]: [string, unknown]): boolean =>
  (DATASET_FILES as readonly string[]).includes(name) && content instanceof Blob;

export const dataFilesSchema = valueOf<DataFiles>(
  'to be the files of a dataset',
  (files) => typeof files === 'object' && files !== null && Object.entries(files).every(isFile),
);
