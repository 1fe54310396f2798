/** Whether a folder without a manifest is one that had one: older releases wrote none. */
import { join } from 'node:path';
import { lockName, manifestByLocks } from './lock-file.ts';
import { manifestNumbers, namesIn } from './manifest-file.ts';

/**
 * A name in the folder that tells of a manifest which is gone: a lock, or the metrics beside a checkpoint, which older
 * releases did not keep there.
 */
export async function traceOfManifest(folder: string): Promise<string | undefined> {
  if ((await manifestNumbers(folder)).length > 0) return undefined;
  const trace = (await lockIn(folder)) ?? (await checkpointMetricsIn(folder));
  // An owner may have come since.
  return (await manifestNumbers(folder)).length > 0 ? undefined : trace;
}

async function lockIn(folder: string): Promise<string | undefined> {
  const owner = (await manifestByLocks(folder, await namesIn(folder)))?.owner;
  return owner && lockName(owner.token);
}

async function checkpointMetricsIn(folder: string): Promise<string | undefined> {
  for (const name of (await namesIn(join(folder, 'checkpoints'))).sort()) {
    const path = `checkpoints/${name}`;
    const isCheckpoint = /^step-\d+$/.test(name);
    if (isCheckpoint && (await namesIn(join(folder, path))).includes('metrics.jsonl'))
      return `${path}/metrics.jsonl`;
  }
  return undefined;
}
