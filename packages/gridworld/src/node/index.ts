export { readDataset, writeDataset } from './dataset-folder.ts';
export { readTextLayout, writeTextLayout } from './text-layout-folder.ts';
export type { WriteOptions } from './atomic-folder.ts';
