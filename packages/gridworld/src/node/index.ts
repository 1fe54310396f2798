export { readDataset, writeDataset } from './dataset-folder.ts';
export { readTextLayout, writeTextLayout } from './text-layout-folder.ts';
