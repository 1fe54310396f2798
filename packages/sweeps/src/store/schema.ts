/** The tables of a store. pg-boss has its own beside them, in the schema `flowgrad_queue`. */
import type { Database, Queries } from './database.ts';

/** A worker of another version touches nothing: see `expectVersion`. */
export const storeVersion = 2;

/** States of a run. What waits or runs has a job in a queue, the others have none. */
export const runStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
/** How a run is. */
export type RunState = (typeof runStates)[number];

const tables = `
create schema if not exists flowgrad;

create table flowgrad.store (
  version int not null,
  heartbeat_seconds int not null,
  made timestamptz not null default now()
);

-- Of a sweep that is local workers take runs only if they name it: the runs need folders and modules that no store knows.
create table flowgrad.sweeps (
  id int generated always as identity primary key,
  name text not null unique,
  local boolean not null default false,
  added timestamptz not null default now()
);

-- A run is its configuration: its id is the checksum of that. The token is that of the attempt that may write to it.
create table flowgrad.runs (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  config text not null,
  state text not null default 'waiting' check (state in (${runStates.map((state) => `'${state}'`).join(', ')})),
  token bigint,
  arithmetic text,
  failures int not null default 0,
  losses int not null default 0,
  reason text,
  epoch int not null default 0,
  step int not null default 0,
  changed timestamptz not null default now()
);
create index on flowgrad.runs (state);

create table flowgrad.sweep_runs (
  sweep int not null references flowgrad.sweeps,
  run text not null references flowgrad.runs,
  place int not null,
  queue text,
  job uuid,
  primary key (sweep, run)
);
create index on flowgrad.sweep_runs (run);

-- Of runs that nobody has begun (arithmetic is null), and of runs that were begun on one arithmetic.
create table flowgrad.queues (
  name text primary key,
  sweep int not null references flowgrad.sweeps,
  arithmetic text
);

-- Each time a worker takes a run: its token fences all that the worker writes.
create table flowgrad.attempts (
  token bigint generated always as identity primary key,
  run text not null references flowgrad.runs,
  worker text not null,
  arithmetic text not null,
  job uuid not null,
  device text,
  began timestamptz not null default now(),
  seen timestamptz not null default now(),
  ended timestamptz,
  outcome text check (outcome in ('done', 'released', 'failed', 'lost')),
  reason text,
  from_step int,
  step int,
  steps int,
  epoch int
);
create index on flowgrad.attempts (run);

create table flowgrad.files (
  run text not null references flowgrad.runs on delete cascade,
  path text not null check (path !~ '(^/|\\.\\.|\\\\)'),
  bytes bigint not null,
  sha256 text not null,
  primary key (run, path)
);

create table flowgrad.parts (
  run text not null,
  path text not null,
  number int not null,
  content bytea not null,
  primary key (run, path, number),
  foreign key (run, path) references flowgrad.files on delete cascade
);
-- Weights do not compress.
alter table flowgrad.parts alter column content set storage external;
`;

/** What the store says of itself; undefined where there is none. */
export async function storeSettings(
  queries: Queries,
): Promise<{ readonly version: number; readonly heartbeatSeconds: number } | undefined> {
  const [{ found }] = await queries.query<{ found: string | null }>(
    `select to_regclass('flowgrad.store')::text as found`,
  );
  if (found === null) return undefined;
  const [settings] = await queries.query<{ version: number; heartbeatSeconds: number }>(
    `select version, heartbeat_seconds as "heartbeatSeconds" from flowgrad.store`,
  );
  return settings;
}

/** Of several that do so at the same time, one makes the tables. */
export async function createTables(database: Database, heartbeatSeconds: number): Promise<void> {
  await database.transaction(async (queries) => {
    await queries.query(`select pg_advisory_xact_lock(hashtext('flowgrad.store'))`);
    if (await storeSettings(queries)) return;
    await queries.query(tables);
    await queries.query('insert into flowgrad.store (version, heartbeat_seconds) values ($1, $2)', [
      storeVersion,
      heartbeatSeconds,
    ]);
  });
}

/** An older or newer program says so and does nothing. */
export function expectVersion(version: number, name: string): void {
  if (version === storeVersion) return;
  const hint =
    version > storeVersion
      ? 'a newer Flowgrad made it: update this one'
      : 'an older Flowgrad made it: finish it with that one, or use another store';
  throw new Error(`store: expected ${name} to be of version ${storeVersion}, got ${version} (${hint})`);
}
