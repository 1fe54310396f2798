/** What users change of runs that are in the store: cancelled ones stop, failed and cancelled ones are tried again. */
import type { RunConfig } from '@flowgrad/evaluation';
import { queueFor, sendJobs } from './add.ts';
import { bossDb, bossOf, warmQueue } from './queue.ts';
import { runId } from './run-id.ts';
import type { Store } from './store.ts';

/** Which runs are meant: all of a sweep, or those of it whose id begins so. */
export interface Choice {
  readonly sweep: string;
  readonly run?: string | undefined;
}

interface Chosen {
  readonly run: string;
  readonly sweep: number;
  readonly queue: string | null;
  readonly job: string | null;
}

/** Takes runs of a sweep out of its queue, and from workers that train them. Runs that another sweep wants go on there. */
export async function cancelRuns(store: Store, choice: Choice): Promise<number> {
  await expectSweep(store, choice);
  for (const { name } of await queuesOf(store, choice)) await warmQueue(store, name);
  return store.database.transaction(async (queries) => {
    const chosen = await queries.query<Chosen>(
      `select run, sweep, queue, job::text from ${chosenRuns} and state in ('waiting', 'running') for update of runs`,
      values(choice),
    );
    for (const [queue, jobs] of byQueue(chosen)) {
      await bossOf(store).cancel(queue, jobs, { db: bossDb(queries) });
    }
    const runs = chosen.map(({ run }) => run);
    await queries.query(
      'update flowgrad.sweep_runs set queue = null, job = null where sweep = $1 and run = any($2::text[])',
      [chosen[0]?.sweep ?? 0, runs],
    );
    // Where another sweep wants the run, it waits there, unless that sweep's own job has it under way.
    await queries.query(
      `update flowgrad.runs set token = null, changed = now(), state = case
           when exists (select 1 from flowgrad.sweep_runs where run = id and job is not null) then 'waiting'
           else 'cancelled' end
         where id = any($1::text[]) and not exists (
           select 1 from flowgrad.attempts held join flowgrad.sweep_runs using (job)
           where held.token = runs.token and sweep_runs.run = runs.id)`,
      [runs],
    );
    return runs.length;
  });
}

/** Lets runs of a sweep that failed or were cancelled be tried again, from their last checkpoint. */
export async function retryRuns(store: Store, choice: Choice): Promise<number> {
  return waitAgain(store, choice, `state in ('failed', 'cancelled')`);
}

/**
 * Lets a sweep whose runs are kept in folders say what the folders say: those of `done` are done, and the others, unless the store
 * has their files, are not, whatever became of them before.
 */
export async function matchFolders(store: Store, sweep: string, done: readonly RunConfig[]): Promise<void> {
  const ids = done.map(runId);
  await store.database.query(
    `update flowgrad.runs set state = 'done', reason = null, changed = now()
     where id = any($1::text[]) and state in ('waiting', 'failed', 'cancelled')`,
    [ids],
  );
  const isElsewhere = 'not exists (select 1 from flowgrad.files where files.run = runs.id)';
  await waitAgain(
    store,
    { sweep },
    `(state in ('failed', 'cancelled') or state = 'done' and ${isElsewhere}) and runs.id <> all($3::text[])`,
    ids,
  );
}

async function waitAgain(
  store: Store,
  choice: Choice,
  condition: string,
  ...more: readonly unknown[]
): Promise<number> {
  const sweep = await expectSweep(store, choice);
  const queue = await queueFor(store, { sweep, arithmetic: null });
  return store.database.transaction(async (queries) => {
    const chosen = await queries.query<Chosen>(
      `select run, sweep, queue, job::text from ${chosenRuns} and ${condition} for update of runs`,
      [...values(choice), ...more],
    );
    const runs = chosen.map(({ run }) => run);
    await queries.query(
      `update flowgrad.runs set state = 'waiting', failures = 0, losses = 0, reason = null, changed = now()
       where id = any($1::text[])`,
      [runs],
    );
    await sendJobs(store, queries, { sweep, queue, runs });
    return runs.length;
  });
}

const chosenRuns = `flowgrad.sweep_runs join flowgrad.sweeps on sweeps.id = sweep join flowgrad.runs on runs.id = run
  where sweeps.name = $1 and starts_with(run, $2)`;
const values = ({ sweep, run = '' }: Choice): string[] => [sweep, run];

function byQueue(chosen: readonly Chosen[]): Map<string, string[]> {
  const jobs = new Map<string, string[]>();
  for (const { queue, job } of chosen) {
    if (queue !== null && job !== null) jobs.set(queue, [...(jobs.get(queue) ?? []), job]);
  }
  return jobs;
}

const queuesOf = ({ database }: Store, { sweep }: Choice): Promise<{ name: string }[]> =>
  database.query(
    'select queues.name from flowgrad.queues join flowgrad.sweeps on sweeps.id = sweep where sweeps.name = $1',
    [sweep],
  );

/** Its number. */
export async function expectSweep({ database, name }: Store, { sweep }: Choice): Promise<number> {
  const all = await database.query<{ id: number; name: string }>(
    'select id, name from flowgrad.sweeps order by id',
  );
  const found = all.find((each) => each.name === sweep);
  if (found) return found.id;
  const names = all.map((each) => each.name).join(', ');
  throw new RangeError(
    `sweep: expected a sweep of ${name}${names === '' ? '' : ` among ${names}`}, got ${JSON.stringify(sweep)}`,
  );
}
