/** Reads all runs below a folder, without those that this user may not read. */
import { findRuns } from './run-folder.ts';

/** A run, or a folder in which there may be runs, that could not be read. */
export interface LeftOutRun {
  readonly folder: string;
  /** Why, with the path that could not be read. */
  readonly reason: string;
}

/** What was read of the runs below a folder. */
export interface ReadRuns<T> {
  readonly runs: readonly T[];
  readonly leftOut: readonly LeftOutRun[];
}

/**
 * What `read` makes of every run below `root`, one after the other. Folders and runs that this user may not read are left
 * out and named; whatever else is wrong with a run is an error.
 */
export async function readRuns<T>(root: string, read: (folder: string) => Promise<T>): Promise<ReadRuns<T>> {
  const runs: T[] = [];
  const leftOut: LeftOutRun[] = [];
  /** Throws what is no lack of permission. */
  const leaveOut = (folder: string, error: unknown): void => {
    if (!isDenied(error)) throw error;
    const { path = folder } = error as NodeJS.ErrnoException;
    leftOut.push({ folder, reason: `permission denied, ${path}` });
  };
  for (const folder of await findRuns(root, { onUnreadable: leaveOut })) {
    try {
      runs.push(await read(folder));
    } catch (error) {
      leaveOut(folder, error);
    }
  }
  return { runs, leftOut };
}

/** Whether an error is a lack of permission. */
export function isDenied(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}
