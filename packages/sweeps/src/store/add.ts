/** Sweeps and their runs on the way into the store, and what users change later. */
import { randomUUID } from 'node:crypto';
import type { RunConfig } from '@flowgrad/evaluation';
import type { Queries } from './database.ts';
import { bossDb, bossOf, createQueue, warmQueue } from './queue.ts';
import { runId } from './run-id.ts';
import type { Store } from './store.ts';

/** What adding came to. */
export interface Added {
  readonly sweep: string;
  /** Runs of this grid. */
  readonly runs: number;
  /** Those that the sweep did not have before. */
  readonly added: number;
  /** Those that are done, whoever had them trained. */
  readonly done: number;
}

/** Runs in one transaction. */
const chunk = 1000;

/**
 * Adds the runs of a grid to a sweep, which is made if need be. What is there already stays as it is. Runs of a sweep that is made as a local
 * one are taken by those who name it alone.
 */
export async function addRuns(
  store: Store,
  sweep: string,
  runs: readonly RunConfig[],
  { local = false }: { readonly local?: boolean } = {},
): Promise<Added> {
  if (!/^[\w.-]{1,60}$/.test(sweep)) {
    throw new RangeError(
      `sweep: expected a name of 1 to 60 letters, digits, dots, hyphens and underscores, got ${JSON.stringify(sweep.slice(0, 80))}`,
    );
  }
  const { database } = store;
  await database.query('insert into flowgrad.sweeps (name, local) values ($1, $2) on conflict do nothing', [
    sweep,
    local,
  ]);
  const [{ id }] = await database.query<{ id: number }>('select id from flowgrad.sweeps where name = $1', [
    sweep,
  ]);
  const queue = await queueFor(store, { sweep: id, arithmetic: null });
  const configs = new Map(runs.map((config) => [runId(config), JSON.stringify(config)]));
  const ids = [...configs.keys()];
  const [{ first }] = await database.query<{ first: number }>(
    'select coalesce(max(place), 0)::int as first from flowgrad.sweep_runs where sweep = $1',
    [id],
  );
  let [added, done] = [0, 0];
  for (let at = 0; at < ids.length; at += chunk) {
    const some = ids.slice(at, at + chunk);
    await database.transaction(async (queries) => {
      await queries.query(
        'insert into flowgrad.runs (id, config) select * from unnest($1::text[], $2::text[]) on conflict do nothing',
        [some, some.map((each) => configs.get(each))],
      );
      const fresh = await queries.query<{ run: string }>(
        `insert into flowgrad.sweep_runs (sweep, run, place)
         select $1::int, run, $3::int + place from unnest($2::text[]) with ordinality as each (run, place)
         on conflict do nothing returning run`,
        [id, some, first + at],
      );
      // Cancelled with another sweep, and wanted again by this one.
      const open = await queries.query<{ id: string }>(
        `update flowgrad.runs set state = case state when 'cancelled' then 'waiting' else state end
         where id = any($1::text[]) and state in ('waiting', 'running', 'cancelled') returning id`,
        [fresh.map(({ run }) => run)],
      );
      const isOpen = new Set(open.map(({ id: each }) => each));
      await sendJobs(store, queries, { sweep: id, queue, runs: some.filter((each) => isOpen.has(each)) });
      const [count] = await queries.query<{ done: number }>(
        `select count(*)::int as done from flowgrad.runs where id = any($1::text[]) and state = 'done'`,
        [some],
      );
      added += fresh.length;
      done += count.done;
    });
  }
  return { sweep, runs: ids.length, added, done };
}

/** The queue of a sweep's runs that nobody has begun, or that were begun on one arithmetic; made if need be. */
export async function queueFor(
  store: Store,
  { sweep, arithmetic }: { readonly sweep: number; readonly arithmetic: string | null },
): Promise<string> {
  const name = arithmetic === null ? `sweep-${sweep}` : `sweep-${sweep}/${arithmetic}`;
  if (store.knownQueues.has(name)) return name;
  const { database, heartbeatSeconds } = store;
  const found = await database.query('select 1 from flowgrad.queues where name = $1', [name]);
  if (found.length === 0) {
    await createQueue(bossOf(store), database, name, heartbeatSeconds);
    await database.query(
      'insert into flowgrad.queues (name, sweep, arithmetic) values ($1, $2, $3) on conflict do nothing',
      [name, sweep, arithmetic],
    );
  }
  await warmQueue(store, name);
  return name;
}

interface Jobs {
  readonly sweep: number;
  readonly queue: string;
  readonly runs: readonly string[];
  readonly startAfter?: number;
}

/** A job for each of some runs of a sweep, which is remembered with the run. */
export async function sendJobs(
  store: Store,
  queries: Queries,
  { sweep, queue, runs, startAfter }: Jobs,
): Promise<void> {
  if (runs.length === 0) return;
  const jobs = runs.map((run) => ({
    id: randomUUID(),
    data: { run },
    ...(startAfter !== undefined && { startAfter }),
  }));
  await bossOf(store).insert(queue, jobs, { db: bossDb(queries) });
  await queries.query(
    `update flowgrad.sweep_runs set queue = $2, job = each.job
     from unnest($3::text[], $4::uuid[]) as each (run, job) where sweep = $1 and sweep_runs.run = each.run`,
    [sweep, queue, runs, jobs.map(({ id }) => id)],
  );
}
