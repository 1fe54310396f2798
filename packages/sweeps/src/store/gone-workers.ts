/** Workers that ended without a word, where that can be seen: those of an embedded store are processes of this machine. */
import { hostname } from 'node:os';
import { bossDb, bossOf, warmQueue } from './queue.ts';
import type { Store } from './store.ts';

/** What this process is called where it takes runs. */
export const thisWorker = (): string => `${hostname()}:${process.pid}`;

/** Gives back the runs of such workers: nobody has to wait for the end of their silence. */
export async function releaseGone(store: Store): Promise<void> {
  const held = await store.database.query<{ token: string; worker: string; queue: string; job: string }>(
    `select runs.token::text, worker, queue, job::text from flowgrad.runs
     join flowgrad.attempts using (token) join flowgrad.sweep_runs using (job) where state = 'running'`,
  );
  for (const { token, queue, job } of held.filter(({ worker }) => isGone(worker))) {
    await warmQueue(store, queue);
    await store.database.transaction(async (queries) => {
      const released = await queries.query(
        `update flowgrad.runs set state = 'waiting', token = null where token = $1::bigint returning id`,
        [token],
      );
      if (released.length === 0) return;
      await queries.query(
        `update flowgrad.attempts set ended = now(), outcome = 'lost' where token = $1::bigint`,
        [token],
      );
      await bossOf(store).fail(queue, job, null, { db: bossDb(queries) });
    });
  }
}

/** Of a process whose number another one has by now it is not seen, and its silence ends the attempt. */
function isGone(worker: string): boolean {
  const [, host, pid] = /^(.*):(\d+)$/.exec(worker) ?? [];
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // Somebody else's process is there all the same.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
