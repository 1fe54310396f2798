/** pg-boss, set for training that lasts days. */
import type { Db, PgBoss } from 'pg-boss';
import type { Database, Queries } from './database.ts';
import type { Store } from './store.ts';

/** Ten years: as good as never, in seconds. */
const never = 10 * 365 * 24 * 3600;
const day = 24 * 3600;

/** pg-boss takes transactions of ours as a database. */
export const bossDb = (queries: Queries): Db => ({
  executeSql: async (text, values) => ({ rows: await queries.query(text, values) }),
});

export interface QueueOptions {
  readonly isEmbedded: boolean;
  readonly heartbeatSeconds: number;
  /** Whether this process gives back what others left: workers do. */
  readonly supervises: boolean;
  /** Whether tables of pg-boss may be made. */
  readonly creates: boolean;
}

/** Starts pg-boss on our own connections. Its errors and warnings go to `onError`: nothing of it ends the process. */
export async function startQueue(
  database: Database,
  { isEmbedded, heartbeatSeconds, supervises, creates }: QueueOptions,
  onError: (error: Error) => void,
): Promise<PgBoss> {
  const every = Math.max(1, Math.floor(heartbeatSeconds / 4));
  // Loaded when it is needed: whoever only asks whether something is a store does not wait for it.
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: bossDb(database),
    backend: isEmbedded ? 'pglite' : 'postgres',
    schema: 'flowgrad_queue',
    migrate: creates,
    createSchema: creates,
    schedule: false,
    supervise: supervises,
    superviseIntervalSeconds: every,
    monitorIntervalSeconds: every,
    // Both need the rights of an owner, and neither matters for some thousand jobs.
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onError);
  return boss.start();
}

/**
 * A queue of runs. pg-boss would end a job after 15 minutes, and after two tries; it takes no more than a day for the first, so
 * that is set in its table, which every job of the queue copies. What ends an attempt is silence, and how often a run is
 * tried is counted with the run.
 */
export async function createQueue(
  boss: PgBoss,
  queries: Queries,
  name: string,
  heartbeatSeconds: number,
): Promise<void> {
  await boss.createQueue(name, {
    expireInSeconds: day,
    retentionSeconds: never,
    deleteAfterSeconds: day,
    retryLimit: 2 ** 31 - 1,
    retryDelay: 0,
    heartbeatSeconds,
  });
  await queries.query('update flowgrad_queue.queue set expire_seconds = $2 where name = $1', [name, never]);
}

/** pg-boss as those need it who change something. */
export function bossOf({ queue, name }: Store): PgBoss {
  if (queue) return queue as PgBoss;
  throw new Error(`store: expected ${name} to be opened for changes, got it opened for reading`);
}

/** Lets pg-boss learn of a queue before a transaction needs it: an embedded store has one connection, which that would wait for. */
export async function warmQueue(store: Store, queue: string): Promise<void> {
  if (store.knownQueues.has(queue)) return;
  await bossOf(store).touch(queue, '00000000-0000-0000-0000-000000000000');
  store.knownQueues.add(queue);
}
