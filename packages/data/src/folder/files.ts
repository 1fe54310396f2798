/** The files of a dataset folder, in the order in which they are read, and their columns. */
import { MANIFEST } from './manifest.ts';
import type { Columns } from './table.ts';

export const NODES = 'nodes.tsv';
export const EDGES = 'edges.tsv';
export const EXAMPLES = 'examples.tsv';
export const ALSO_TRUE = 'true.tsv';

/** The names of all files that a dataset folder may have. */
export const DATASET_FILES = [MANIFEST, NODES, EDGES, EXAMPLES, ALSO_TRUE] as const;
/** One of `DATASET_FILES`. */
export type DatasetFile = (typeof DATASET_FILES)[number];

export const columnsOf = {
  [NODES]: { required: ['node'], optional: ['x', 'y'], others: true },
  [EDGES]: { required: ['sender', 'receiver'], optional: ['type'] },
  [EXAMPLES]: { required: ['split', 'source', 'destination'], optional: ['query'], rest: 'path' },
  [ALSO_TRUE]: { required: ['source', 'destination'], optional: ['query'] },
} as const satisfies Record<Exclude<DatasetFile, typeof MANIFEST>, Columns>;
