export { readDataFolder, writeDataFolder } from './dataset-folder.ts';
export type { HashedDataset } from './dataset-folder.ts';
