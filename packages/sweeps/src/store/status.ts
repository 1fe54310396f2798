/** What is in a store, for people and scripts. */
import { resolveRun } from '@flowgrad/evaluation';
import type { RunConfig, RunSettings } from '@flowgrad/evaluation';
import { expectSweep } from './change.ts';
import type { RunState } from './schema.ts';
import type { Store } from './store.ts';

/** A run of a sweep, and how it is. */
export interface RunStatus {
  readonly run: string;
  readonly config: RunConfig;
  readonly state: RunState;
  /** Epochs that are in the store. */
  readonly epoch: number;
  /** Why it failed, or why its last attempt did. */
  readonly reason?: string;
  /** Of the attempt under way. */
  readonly worker?: string;
  readonly device?: string;
  /** Steps made, of so many. */
  readonly step?: number;
  readonly steps?: number;
  /** Left at the pace of this attempt. */
  readonly secondsLeft?: number;
  /** Since the worker was last heard of. */
  readonly silentSeconds?: number;
}

/** How many runs are in each state. */
export type RunCounts = Readonly<Record<RunState, number>>;

/** A sweep, and how its runs are. */
export interface SweepStatus {
  readonly sweep: string;
  readonly counts: RunCounts;
}

interface StatusRow {
  readonly run: string;
  readonly config: string;
  readonly state: RunState;
  readonly epoch: number;
  readonly reason: string | null;
  readonly worker: string | null;
  readonly device: string | null;
  readonly step: number | null;
  readonly steps: number | null;
  readonly secondsLeft: number | null;
  readonly silentSeconds: number | null;
}

/** Every sweep of a store, in the order in which they were added. */
export async function sweepsOf({ database }: Store): Promise<SweepStatus[]> {
  const rows = await database.query<{ sweep: string } & Record<RunState, number>>(
    `select sweeps.name as sweep,
       count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'running')::int as running,
       count(*) filter (where state = 'done')::int as done, count(*) filter (where state = 'failed')::int as failed,
       count(*) filter (where state = 'cancelled')::int as cancelled
     from flowgrad.sweeps left join flowgrad.sweep_runs on sweep = sweeps.id left join flowgrad.runs on runs.id = run
     group by sweeps.id, sweeps.name order by sweeps.id`,
  );
  return rows.map(({ sweep, ...counts }) => ({ sweep, counts }));
}

/** The runs of a sweep, or of all of them, each once; those of `states` alone if given. */
export async function runsOf(
  store: Store,
  { sweep, states }: { readonly sweep?: string | undefined; readonly states?: readonly RunState[] } = {},
): Promise<RunStatus[]> {
  if (sweep !== undefined) await expectSweep(store, { sweep });
  const rows = await store.database.query<StatusRow>(
    `select runs.id as run, config, state, runs.epoch, coalesce(runs.reason, '') as reason, worker, device, a.step, a.steps,
       case when a.step > a.from_step
         then (a.steps - a.step) * extract(epoch from a.seen - a.began)::float8 / (a.step - a.from_step) end as "secondsLeft",
       extract(epoch from now() - a.seen)::float8 as "silentSeconds"
     from flowgrad.runs left join flowgrad.attempts a on a.token = runs.token
       join (select run, min(sweep) as sweep, min(place) as place from flowgrad.sweep_runs
             join flowgrad.sweeps on sweeps.id = sweep where $1::text is null or sweeps.name = $1 group by run) p
         on p.run = runs.id
     where $2::text[] is null or state = any($2::text[]) order by p.sweep, p.place`,
    [sweep ?? null, states ?? null],
  );
  return rows.map(({ config, run, state, epoch, reason, ...attempt }) => ({
    run,
    config: resolveRun(JSON.parse(config) as RunSettings),
    state,
    epoch,
    ...(reason !== '' && reason !== null && { reason }),
    ...(Object.fromEntries(Object.entries(attempt).filter(([, value]) => value !== null)) as object),
  }));
}

/** Of the sweep $1, or where that is null of any that is not local. */
export const isOfSweep = '(sweeps.name = $1 or $1::text is null and not sweeps.local)';

/** How many runs wait, those of silent workers among them, and how many are under way somewhere. */
export async function leftOf(
  { database, heartbeatSeconds }: Store,
  sweep?: string,
): Promise<{ readonly waiting: number; readonly running: number }> {
  const [left] = await database.query<{ waiting: number; running: number }>(
    `select count(*) filter (where not is_held)::int as waiting, count(*) filter (where is_held)::int as running
     from (select coalesce(seen > now() - make_interval(secs => $2), false) as is_held
       from flowgrad.runs left join flowgrad.attempts using (token)
       where state in ('waiting', 'running') and exists (
         select 1 from flowgrad.sweep_runs join flowgrad.sweeps on sweeps.id = sweep
         where sweep_runs.run = runs.id and ${isOfSweep})) as open`,
    [sweep ?? null, heartbeatSeconds],
  );
  return left;
}
