/** Which files of a run are worth keeping. */
import { epochsToKeep } from '../metrics/best-epochs.ts';
import type { RankingName } from '../metrics/best-epochs.ts';
import type { Manifest } from '../run/manifest.ts';
import { checkpointFolder, snapshotPath } from '../run/run-files.ts';
import type { EpochRecord } from '../run/run-record.ts';

/** A checkpoint: after so many steps, in the course of which so many epochs were completed. */
interface Kept {
  readonly step: number;
  readonly epoch: number;
}

/** The latest two and the latest of an earlier epoch: one damaged file costs little, and none costs all. */
export function checkpointsToKeep(latestFirst: readonly Kept[]): Kept[] {
  const [newest, ...older] = latestFirst;
  const earlier = older.find(({ epoch }) => epoch < newest.epoch);
  const others = older.filter((each, i) => each.step < newest.step && (i === 0 || each === earlier));
  return [newest, ...others];
}

/** Files of other checkpoints, and snapshots that are not among the best for any metric. */
export function obsoleteFiles(
  { files }: Manifest,
  checkpoints: readonly Kept[],
  epochs: readonly EpochRecord[],
  ranking: RankingName,
): string[] {
  const folders = new Set(checkpoints.map(({ step }) => checkpointFolder(step)));
  const snapshots = new Set(Array.from(epochsToKeep(epochs, ranking), snapshotPath));
  return Object.keys(files).filter((path) => {
    if (path.startsWith('checkpoints/')) return !folders.has(path.slice(0, path.lastIndexOf('/')));
    return path.startsWith('snapshots/') && !snapshots.has(path);
  });
}
