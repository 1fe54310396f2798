/** Workers that ended without a word, where that can be seen: those of an embedded store are processes of this machine. */
import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { bossDb, bossOf, warmQueue } from './queue.ts';
import type { Store } from './store.ts';

/** What this process is called where it takes runs. */
export const thisWorker = (): string => `${hostname()}:${process.pid}`;

/** Gives back the runs of such workers: nobody has to wait for the end of their silence. */
export async function releaseGone(store: Store): Promise<void> {
  const held = await store.database.query<Held>(
    `select runs.token::text, worker, queue, job::text, extract(epoch from now() - began)::float8 as age from flowgrad.runs
     join flowgrad.attempts using (token) join flowgrad.sweep_runs using (job) where state = 'running'`,
  );
  for (const { token, queue, job } of held.filter(isGone)) {
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

interface Held {
  readonly token: string;
  readonly worker: string;
  readonly queue: string;
  readonly job: string;
  /** Seconds since it was taken. */
  readonly age: number;
}

function isGone({ worker, age }: Held): boolean {
  const [, host, pid] = /^(.*):(\d+)$/.exec(worker) ?? [];
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // Somebody else's process is there all the same.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // Another process may have the number by now, as after a start of the machine: it is younger than the attempt.
  return secondsOf(pid) < age - 5;
}

/** For how long a process has been there, by field 22 of its line in /proc, which counts hundredths; infinite where that is not to be seen. */
function secondsOf(pid: string): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return uptime() - Number(line.slice(line.lastIndexOf(')')).split(' ')[20]) / 100;
  } catch {
    return Infinity;
  }
}
