/** An attempt at a run: taken by one worker, fenced by its token, and ended in one of four ways. */
import { resolveRun } from '@flowgrad/evaluation';
import type { RunConfig, RunSettings } from '@flowgrad/evaluation';
import { queueFor, sendJobs } from './add.ts';
import type { Queries } from './database.ts';
import { releaseGone } from './gone-workers.ts';
import { bossDb, bossOf, warmQueue } from './queue.ts';
import type { RunState } from './schema.ts';
import { isOfSweep } from './status.ts';
import type { Store } from './store.ts';

/** Who takes runs, and what it computes with. */
export interface Taker {
  /** For people: `host:pid`. */
  readonly worker: string;
  /** What decides the bits of a result: the backend and its kind of SIMD. */
  readonly arithmetic: string;
  /** Take runs that were begun on another arithmetic too. */
  readonly anyDevice?: boolean;
  /** Of this sweep alone; unless given, of all that are not local. */
  readonly sweep?: string;
}

/** A run in the hands of a worker. */
export interface Attempt {
  readonly run: string;
  readonly config: RunConfig;
  /** The fencing token: a later attempt at the run has a higher one, and this one's writes are refused from then on. */
  readonly token: string;
  /** @internal */
  readonly queue: string;
  /** @internal */
  readonly job: { readonly id: string; readonly retryCount: number };
}

/** Attempts that ended in silence, one after the other and without progress, after which a run is set aside. */
const lossesAtMost = 10;
/** Seconds after which a run that another sweep's job has under way is looked at again. */
const lookAgain = 30;

/** The next run for a worker; undefined if there is none for it now. */
export async function takeRun(store: Store, taker: Taker): Promise<Attempt | undefined> {
  const { sweep, arithmetic, anyDevice = false } = taker;
  if (store.folder !== undefined) await releaseGone(store);
  const queues = await store.database.query<{ name: string; sweep: number }>(
    `select queues.name, queues.sweep from flowgrad.queues join flowgrad.sweeps on sweeps.id = queues.sweep
     where ${isOfSweep} and ($3 or arithmetic is null or arithmetic = $2)
     order by arithmetic is null, sweep`,
    [sweep ?? null, arithmetic, anyDevice],
  );
  for (const queue of queues) {
    await warmQueue(store, queue.name);
    for (;;) {
      const taken = await takeFrom(store, queue, taker);
      if (taken === 'none') break;
      if (taken !== 'passed') return taken;
    }
  }
  return undefined;
}

/** 'passed': it was not for this worker, and is settled. */
type Taken = Attempt | 'none' | 'passed';

/** The queue that a run belongs to has to be made first, outside of the transaction that found this out. */
class MissingQueueError extends Error {
  override readonly name = 'MissingQueueError';
  readonly arithmetic: string;
  constructor(arithmetic: string) {
    super(`sweep: expected a queue for ${arithmetic}, got none`);
    this.arithmetic = arithmetic;
  }
}

interface RunRow {
  readonly config: string;
  readonly state: RunState;
  readonly token: string | null;
  readonly arithmetic: string | null;
  readonly losses: number;
  /** Of the attempt that has the run. */
  readonly isSilent: boolean;
  readonly holder: string | null;
  /** Of the run in this sweep. */
  readonly job: string | null;
}

interface SweepQueue {
  readonly name: string;
  readonly sweep: number;
}

async function takeFrom(store: Store, queue: SweepQueue, taker: Taker): Promise<Taken> {
  try {
    return await takeOnce(store, queue, taker);
  } catch (error) {
    if (!(error instanceof MissingQueueError)) throw error;
    await queueFor(store, { sweep: queue.sweep, arithmetic: error.arithmetic });
    return 'passed';
  }
}

async function takeOnce(
  store: Store,
  { name, sweep }: SweepQueue,
  { worker, arithmetic, anyDevice = false }: Taker,
): Promise<Taken> {
  const boss = bossOf(store);
  return store.database.transaction(async (queries): Promise<Taken> => {
    const db = bossDb(queries);
    const [job] = await boss.fetch<{ run: string }>(name, { db });
    if (job === undefined) return 'none';
    const { run } = job.data;
    const [row] = await queries.query<RunRow>(
      `select config, state, runs.token::text, runs.arithmetic, losses,
         coalesce(held.seen < now() - make_interval(secs => $2), true) as "isSilent", held.job::text as holder,
         (select job::text from flowgrad.sweep_runs where sweep = $3 and run = $1) as job
       from flowgrad.runs left join flowgrad.attempts held using (token) where runs.id = $1 for update of runs`,
      [run, store.heartbeatSeconds, sweep],
    );
    const drop = async (): Promise<Taken> => {
      await boss.complete(name, job, null, { db });
      return 'passed';
    };
    if (row?.job !== job.id || (row.state !== 'waiting' && row.state !== 'running')) return drop();
    // A job that is handed out again was given up by pg-boss; the job of another sweep may have the run under way.
    if (row.state === 'running' && row.holder !== job.id && !row.isSilent) {
      await drop();
      await sendJobs(store, queries, { sweep, queue: name, runs: [run], startAfter: lookAgain });
      return 'passed';
    }
    if (row.arithmetic !== null && row.arithmetic !== arithmetic && !anyDevice) {
      const target = `sweep-${sweep}/${row.arithmetic}`;
      if (!store.knownQueues.has(target)) throw new MissingQueueError(row.arithmetic);
      await drop();
      await sendJobs(store, queries, { sweep, queue: target, runs: [run] });
      return 'passed';
    }
    let { losses } = row;
    if (row.state === 'running') {
      losses += 1;
      await queries.query(
        `update flowgrad.attempts set ended = now(), outcome = 'lost' where token = $1::bigint and ended is null`,
        [row.token],
      );
    }
    if (losses >= lossesAtMost) {
      const reason = `${losses} workers in a row were lost while they trained it`;
      await setAside(queries, run, reason);
      return drop();
    }
    const [{ token }] = await queries.query<{ token: string }>(
      'insert into flowgrad.attempts (run, worker, arithmetic, job) values ($1, $2, $3, $4) returning token::text',
      [run, worker, arithmetic, job.id],
    );
    await queries.query(
      `update flowgrad.runs set state = 'running', token = $2::bigint, losses = $3, changed = now() where id = $1`,
      [run, token, losses],
    );
    const { id, retryCount } = job;
    const config = resolveRun(JSON.parse(row.config) as RunSettings);
    return { run, config, token, queue: name, job: { id, retryCount } };
  });
}

const setAside = (queries: Queries, run: string, reason: string): Promise<unknown> =>
  queries.query(
    `update flowgrad.runs set state = 'failed', token = null, reason = $2, changed = now() where id = $1`,
    [run, reason],
  );

/** The attempt is not the run's any more: it was lost for too long, or the run was cancelled. */
export class AttemptLostError extends Error {
  override readonly name = 'AttemptLostError';
  constructor({ run, token }: Pick<Attempt, 'run' | 'token'>) {
    super(
      `sweep: expected attempt ${token} to hold run ${run.slice(0, 12)}, but another one does, or it was cancelled ` +
        '(nothing more is written for it here)',
    );
  }
}

/** How far an attempt has come. */
export interface Progress {
  readonly device?: string;
  readonly fromStep?: number;
  readonly step?: number;
  readonly steps?: number;
  readonly epoch?: number;
}

/**
 * A transaction that only the holder of the run gets through: the row of the run is locked with this token in it, and pg-boss
 * takes the heartbeat of this very attempt. Throws an `AttemptLostError`, and changes nothing, otherwise.
 */
export function fenced<T>(
  store: Store,
  attempt: Attempt,
  progress: Progress,
  work: (queries: Queries) => Promise<T>,
): Promise<T> {
  const { run, token, queue, job } = attempt;
  return store.database.transaction(async (queries) => {
    const held = await queries.query(
      'select 1 from flowgrad.runs where id = $1 and token = $2::bigint for update',
      [run, token],
    );
    if (held.length === 0) throw new AttemptLostError(attempt);
    const touched = await bossOf(store).touch(queue, job, { db: bossDb(queries) });
    if ((touched as { readonly affected: number }).affected !== 1) throw new AttemptLostError(attempt);
    const { device, fromStep, step, steps, epoch } = progress;
    await queries.query(
      `update flowgrad.attempts set seen = now(), device = coalesce($2, device), from_step = coalesce($3, from_step),
         step = coalesce($4, step), steps = coalesce($5, steps), epoch = coalesce($6, epoch) where token = $1::bigint`,
      [token, device ?? null, fromStep ?? null, step ?? null, steps ?? null, epoch ?? null],
    );
    return work(queries);
  });
}

/** Tells that the worker is there, and how far it is. */
export const beat = (store: Store, attempt: Attempt, progress: Progress): Promise<void> =>
  fenced(store, attempt, progress, async () => undefined);

/** How an attempt ends. A run that failed is tried again until it has failed `tries` times. */
export type AttemptEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'released' }
  | { readonly kind: 'failed'; readonly reason: string; readonly tries: number };

/** Ends an attempt within a transaction of its own making, see `fenced`. */
export async function settle(
  store: Store,
  queries: Queries,
  { run, token, queue, job }: Attempt,
  end: AttemptEnd,
): Promise<void> {
  const boss = bossOf(store);
  const db = bossDb(queries);
  const reason = end.kind === 'failed' ? end.reason.slice(0, 2000) : null;
  await queries.query(
    'update flowgrad.attempts set ended = now(), outcome = $2, reason = $3 where token = $1::bigint',
    [token, end.kind, reason],
  );
  const [{ failures }] = await queries.query<{ failures: number }>(
    `update flowgrad.runs set token = null, changed = now(), reason = coalesce($3, reason),
       losses = 0, failures = failures + case $2 when 'failed' then 1 else 0 end
     where id = $1 returning failures`,
    [run, end.kind, reason],
  );
  const isOver = end.kind === 'done' || (end.kind === 'failed' && failures >= end.tries);
  if (!isOver) {
    await queries.query(`update flowgrad.runs set state = 'waiting' where id = $1`, [run]);
    await boss.fail(queue, job, null, { db });
    return;
  }
  if (end.kind === 'done') {
    await queries.query(`update flowgrad.runs set state = 'done', reason = null where id = $1`, [run]);
  } else await setAside(queries, run, end.reason.slice(0, 2000));
  await boss.complete(queue, job, null, { db });
}
