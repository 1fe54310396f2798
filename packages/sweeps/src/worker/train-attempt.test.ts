/** Workers in trouble, on a real server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { cuttableLine } from '@flowgrad/postgres-tool';
import { afterAll, expect, test, vi } from 'vitest';
import { addRuns, openStore, readStoredFiles, runsOf, takeRun, trainAttempt } from '../index.ts';
import type { Attempt, Store } from '../index.ts';
import { testDatabases } from '../testing/databases.ts';
import { grid, pretended } from '../testing/pretended.ts';

const databases = testDatabases();
const folder = await mkdtemp(join(tmpdir(), 'flowgrad-sweeps-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const taker = { worker: 'test:1', arithmetic: 'wasm-plain' };
const config = { 'config.json': JSON.stringify(grid(1)[0]) };
const textsOf = async (store: Store, run: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(await readStoredFiles(store, run)).map(([path, bytes]) => [
      path,
      Buffer.from(bytes).toString(),
    ]),
  );

let places = 0;
async function begun(url?: string) {
  const address = url ?? (await databases().create());
  const store = await openStore(address, { create: true, heartbeatSeconds: 10, purpose: 'work' });
  await addRuns(store, 'test', grid(1));
  const attempt = (await takeRun(store, taker))!;
  return { address, store, attempt, ...train(store, attempt) };
}

function train(store: Store, attempt: Attempt) {
  const place = join(folder, String(++places));
  const training = pretended(place);
  const troubles: string[] = [];
  const underWay = trainAttempt(store, attempt, {
    ...{ folder: place, arithmetic: taker.arithmetic, tries: 2, start: training.start },
    onTrouble: (text) => troubles.push(text),
  });
  return { training, troubles, underWay };
}

test('a run goes on with the files of the one before, and ends with all of its own', async () => {
  const { store, attempt, training, underWay } = await begun();
  await training.started;
  await training.checkpoint({ ...config, 'metrics.jsonl': 'one\n' });
  await vi.waitFor(
    async () => expect(await textsOf(store, attempt.run)).toHaveProperty(['metrics.jsonl']),
    20_000,
  );
  underWay.stop();
  expect(await underWay.ended).toEqual({ kind: 'stopped' });

  const again = (await takeRun(store, taker))!;
  const second = train(store, again);
  await second.training.started;
  await second.training.checkpoint({ ...config, 'metrics.jsonl': 'one\ntwo\n', 'summary.json': '{}' });
  second.training.end({ kind: 'done' });
  expect(await second.underWay.ended).toEqual({ kind: 'done' });
  expect(await textsOf(store, attempt.run)).toEqual({
    ...config,
    'metrics.jsonl': 'one\ntwo\n',
    'summary.json': '{}',
  });
  await store.close();
});

test('the server is restarted before a run is brought: it is trained all the same, and has not failed', async () => {
  const { store, attempt, training, underWay } = await begun();
  await training.started;
  underWay.stop();
  await underWay.ended;
  const again = (await takeRun(store, taker))!;
  const { server } = databases();
  await server.stop();
  const second = train(store, again);
  await vi.waitFor(() => expect(second.troubles).not.toEqual([]), 20_000);
  await server.start();
  await second.training.started;
  await second.training.checkpoint(config);
  second.training.end({ kind: 'done' });
  expect(await second.underWay.ended).toEqual({ kind: 'done' });
  const [{ state, failures }] = await store.database.query<{ state: string; failures: number }>(
    'select state, failures from flowgrad.runs where id = $1',
    [attempt.run],
  );
  expect({ state, failures }).toEqual({ state: 'done', failures: 0 });
  await store.close();
});

test('the server is restarted under a run: training goes on, and its end is saved', async () => {
  const { store, attempt, training, troubles, underWay } = await begun();
  await training.started;
  const { server } = databases();
  await server.stop();
  await training.checkpoint(config);
  training.end({ kind: 'done' });
  await vi.waitFor(() => expect(troubles).not.toEqual([]), 20_000);
  await server.start();
  expect(await underWay.ended).toEqual({ kind: 'done' });
  expect(training.isStopped).toBe(false);
  expect(await textsOf(store, attempt.run)).toEqual(config);
  await store.close();
});

test('a connection that is cut for less than the heartbeat costs nothing, one cut for longer costs the run', async () => {
  const line = await cuttableLine(databases().server.port);
  const address = (await databases().create()).replace(/:\d+\//, `:${line.port}/`);
  const { store, attempt, training, troubles, underWay } = await begun(address);
  await training.started;
  await line.cut();
  await training.checkpoint(config);
  await vi.waitFor(() => expect(troubles).not.toEqual([]), 20_000);
  await line.mend();
  await vi.waitFor(async () => expect(await textsOf(store, attempt.run)).toEqual(config), 20_000);

  await line.cut();
  const direct = await openStore(address.replace(/:\d+\//, `:${databases().server.port}/`), {
    purpose: 'work',
  });
  let other: Attempt | undefined;
  while (!other) {
    await wait(300);
    other = await takeRun(direct, { ...taker, worker: 'test:2' });
  }
  expect(BigInt(other.token)).toBeGreaterThan(BigInt(attempt.token));
  await line.mend();
  // What it has still to say is refused, and it stops its training.
  await training.checkpoint({ ...config, 'metrics.jsonl': 'late\n' });
  expect(await underWay.ended).toEqual({ kind: 'lost' });
  expect(training.isStopped).toBe(true);
  expect(await textsOf(direct, attempt.run)).toEqual(config);
  await Promise.all([store.close(), direct.close()]);
  await line.cut();
});

test('a store without room is waited for', async () => {
  const { address, store, attempt, training, troubles, underWay } = await begun();
  await training.started;
  await databases().run(
    address,
    `create function flowgrad.full() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`,
    'create trigger full_disk before insert on flowgrad.parts execute function flowgrad.full()',
  );
  await training.checkpoint(config);
  training.end({ kind: 'done' });
  await vi.waitFor(() => expect(troubles.join()).toContain('No space left'), 20_000);
  expect(await runsOf(store)).toMatchObject([{ state: 'running' }]);
  await databases().run(address, 'drop trigger full_disk on flowgrad.parts');
  expect(await underWay.ended).toEqual({ kind: 'done' });
  expect(await textsOf(store, attempt.run)).toEqual(config);
  await store.close();
});

test('a worker without room gives the run back, which has not failed', async () => {
  const { store, training, underWay } = await begun();
  await training.started;
  training.end({ kind: 'failed', reason: 'train: x: expected room on the disk, got none (ENOSPC)' });
  expect(await underWay.ended).toMatchObject({ kind: 'unable' });
  expect(await runsOf(store)).toMatchObject([{ state: 'waiting' }]);
  for (const state of ['waiting', 'failed']) {
    const next = train(store, (await takeRun(store, taker))!);
    await next.training.started;
    next.training.end({ kind: 'failed', reason: 'broken' });
    expect(await next.underWay.ended).toEqual({ kind: 'failed', reason: 'broken' });
    expect(await runsOf(store)).toMatchObject([{ state, reason: 'broken' }]);
  }
  await store.close();
});

test('files of the store with other names than those of a run are refused', async () => {
  const { address, store, attempt, training, underWay } = await begun();
  await training.started;
  underWay.stop();
  await underWay.ended;
  await databases().run(
    address,
    `insert into flowgrad.files (run, path, bytes, sha256) values ('${attempt.run}', 'snapshots/evil', 0,
     'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')`,
  );
  const next = train(store, (await takeRun(store, taker))!);
  expect(await next.underWay.ended).toMatchObject({
    kind: 'failed',
    reason: expect.stringContaining(`expected names of a run's files, got "snapshots/evil"`) as string,
  });
  await expect(
    databases().run(
      address,
      `insert into flowgrad.files (run, path, bytes, sha256) values ('${attempt.run}', '../../evil', 0, '')`,
    ),
  ).rejects.toThrow('violates check constraint');
  await store.close();
});
