import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Keeps two processes from training in one folder. Returns what releases it. A lock whose process has ended is void. */
export async function lockRun(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock');
  // Linked into place with its content: nobody ever sees a lock without an owner.
  const own = `${path}.tmp-${process.pid}`;
  await writeFile(own, String(process.pid));
  try {
    for (let tries = 0; tries < 3; tries++) {
      try {
        await link(own, path);
        return () => rm(path, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const owner = Number(await readFile(path, 'utf8').catch(() => ''));
        if (owner !== process.pid && isRunning(owner)) {
          throw new Error(
            `train: expected a run that nobody else is training, got ${folder}, locked by process ${owner} ` +
              `(wait for it; if it is not a training run, delete ${path})`,
          );
        }
        await rm(path, { force: true });
      }
    }
  } finally {
    await rm(own, { force: true });
  }
  throw new Error(`train: expected to lock ${path}, but others take it again and again`);
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
