/** Roles, passwords and versions, on a real server. */
import { checksumOf } from '@flowgrad/evaluation/node';
import { expect, test } from 'vitest';
import {
  addRuns,
  cancelRuns,
  openStore,
  parseStoreAddress,
  readStoredFiles,
  retryRuns,
  rolesSql,
  runsOf,
  saveRun,
  sweepsOf,
  takeRun,
} from '../index.ts';
import type { OpenStoreOptions, Store } from '../index.ts';
import { testDatabases } from '../testing/databases.ts';
import { grid } from '../testing/pretended.ts';

const databases = testDatabases();
const secret = 'pa:ss/w@rd %41';
const taker = { worker: 'test:1', arithmetic: 'wasm-plain' };

test('each role can do its part, and nothing of the others', async () => {
  const address = await databases().create();
  const owner = await openStore(address, { create: true, heartbeatSeconds: 10, purpose: 'change' });
  await owner.close();
  const users = ['reader', 'adder', 'worker'] as const;
  await databases().run(
    address,
    rolesSql,
    ...users.map((user) => `create user ${user} password '${secret}' in role flowgrad_${user}`),
  );
  const database = new URL(address).pathname.slice(1);
  const as = async <T>(
    user: (typeof users)[number],
    purpose: NonNullable<OpenStoreOptions['purpose']>,
    work: (store: Store) => Promise<T>,
  ): Promise<T> => {
    const store = await openStore(databases().server.urlOf({ user, password: secret, database }), {
      purpose,
    });
    return work(store).finally(store.close);
  };
  const denied = /permission denied/;

  await as('adder', 'change', async (store) => {
    expect(await addRuns(store, 'test', grid(3))).toMatchObject({ added: 3 });
    expect(await cancelRuns(store, { sweep: 'test' })).toBe(3);
    expect(await retryRuns(store, { sweep: 'test' })).toBe(3);
    await expect(takeRun(store, taker)).rejects.toThrow(denied);
    await expect(store.database.query(`insert into flowgrad.files values ('', 'x', 0, '')`)).rejects.toThrow(
      denied,
    );
    await expect(store.database.query('delete from flowgrad.runs')).rejects.toThrow(denied);
  });
  const content = Buffer.from('{}');
  const run = await as('worker', 'work', async (store) => {
    const attempt = (await takeRun(store, taker))!;
    const files = {
      files: { 'config.json': { bytes: content.length, sha256: checksumOf(content) } },
      contents: { 'config.json': content },
    };
    await saveRun(store, attempt, { files, progress: { step: 1 }, arithmetic: taker.arithmetic });
    await saveRun(store, attempt, { progress: {}, arithmetic: taker.arithmetic, end: { kind: 'released' } });
    // Begun on one arithmetic, it is moved into a queue of its own by a worker of another.
    const other = (await takeRun(store, { ...taker, arithmetic: 'wasm-relaxed' }))!;
    expect(other.run).not.toBe(attempt.run);
    await saveRun(store, other, { progress: {}, arithmetic: 'wasm-relaxed', end: { kind: 'done' } });
    await expect(addRuns(store, 'more', grid(1, 9))).rejects.toThrow(denied);
    await expect(store.database.query('delete from flowgrad.runs')).rejects.toThrow(denied);
    await expect(store.database.query(`update flowgrad.runs set config = '{}'`)).rejects.toThrow(denied);
    // pg-boss looks after silent workers with these rights too.
    await (store.queue as { supervise(): Promise<void> }).supervise();
    return attempt.run;
  });
  await as('reader', 'read', async (store) => {
    expect(await sweepsOf(store)).toMatchObject([{ counts: { waiting: 2, done: 1 } }]);
    expect(await runsOf(store, { sweep: 'test' })).toHaveLength(3);
    expect(await readStoredFiles(store, run)).toEqual({ 'config.json': content });
    for (const table of ['sweeps', 'runs', 'sweep_runs', 'attempts', 'files', 'parts', 'queues', 'store']) {
      await expect(store.database.query(`delete from flowgrad.${table}`)).rejects.toThrow(denied);
    }
  });
  for (const user of users) {
    await as(user, 'read', async (store) => {
      await expect(store.database.query('create table flowgrad.mine ()')).rejects.toThrow(denied);
      await expect(store.database.query('drop table flowgrad.parts')).rejects.toThrow('must be owner');
    });
  }
});

test('a password is in no name and in no error', async () => {
  const { server } = databases();
  const wrong = server.urlOf({ user: 'nobody', password: secret });
  const nowhere = wrong.replace(`:${server.port}/`, ':1/');
  const malformed = `postgres://ann:${secret}@127.0.0.1:port/x`;
  expect(parseStoreAddress(wrong)).toMatchObject({
    name: `postgres://nobody@127.0.0.1:${server.port}/postgres`,
    secret,
  });
  for (const address of [
    wrong,
    nowhere,
    malformed,
    `${server.url}?sslmode=no-such-mode&password=${encodeURIComponent(secret)}`,
  ]) {
    const error = await openStore(address, { create: true, purpose: 'work' }).then(
      () => expect.fail(`expected ${parseStoreAddress(address).name} to be refused`),
      (caught: unknown) => caught as Error,
    );
    const said = `${error.message}\n${error.stack}\n${JSON.stringify(error, Object.getOwnPropertyNames(error))}`;
    for (const each of [secret, encodeURIComponent(secret), 'pa:ss', 'pa%3Ass'])
      expect(said).not.toContain(each);
  }
});

test('TLS that the address asks for is not given up where the server has none', async () => {
  const address = `${await databases().create()}?sslmode=verify-full`;
  await expect(openStore(address, { create: true })).rejects.toThrow(
    'The server does not support SSL connections',
  );
});

test('TLS: the server of an address with verify-full is the one that its authority stands for, or it is refused', async () => {
  const { authority, stranger } = await databases().server.useTls();
  const address = `${await databases().create()}?sslmode=verify-full`;
  const store = await openStore(`${address}&sslrootcert=${authority}`, { create: true, purpose: 'work' });
  const [{ version }] = await store.database.query<{ version: string }>(
    'select version from pg_stat_ssl where pid = pg_backend_pid()',
  );
  expect(version).toMatch(/^TLSv1\.[23]$/);
  expect(await addRuns(store, 'safe', grid(1))).toMatchObject({ added: 1 });
  await store.close();
  await expect(openStore(`${address}&sslrootcert=${stranger}`)).rejects.toThrow(
    /unable to verify|self.signed/,
  );
  await expect(openStore(address)).rejects.toThrow(/unable to verify|self.signed/);
  // The certificate is for another name than the one that was asked for.
  const elsewhere = address.replace('127.0.0.1', 'localhost');
  await expect(openStore(`${elsewhere}&sslrootcert=${authority}`)).rejects.toThrow(/altnames|does not match/);
});

test('a store of another version is left alone', async () => {
  const address = await databases().create();
  await (await openStore(address, { create: true, purpose: 'change' })).close();
  for (const [version, hint] of [
    [1, 'an older Flowgrad made it'],
    [3, 'a newer Flowgrad made it: update this one'],
  ] as const) {
    await databases().run(address, `update flowgrad.store set version = ${version}`);
    for (const purpose of ['read', 'change', 'work'] as const) {
      await expect(openStore(address, { create: true, purpose })).rejects.toThrow(
        new RegExp(`^store: expected postgres://.* to be of version 2, got ${version} \\(${hint}`),
      );
    }
  }
});

test('a store that is not there is said, and not made by those who only look', async () => {
  const address = await databases().create();
  await expect(openStore(address)).rejects.toThrow(
    /^store: expected a store at postgres:.*, got none \(flowgrad sweep add/,
  );
  await expect(openStore('/nowhere/at/all')).rejects.toThrow(
    'store: expected a store at /nowhere/at/all, got none',
  );
  await expect(openStore('mysql://x/y')).rejects.toThrow(
    'store: expected postgres://… or a folder, got mysql://…',
  );
});

test('jobs of training that lasts days are not ended by pg-boss', async () => {
  const store = await openStore(await databases().create(), { create: true, purpose: 'work' });
  await addRuns(store, 'long', grid(1));
  await takeRun(store, taker);
  const [job] = await store.database.query(
    `select expire_seconds / 86400 as days, retry_limit, heartbeat_seconds, (keep_until - now()) > interval '9 years' as kept
     from flowgrad_queue.job`,
  );
  expect(job).toEqual({ days: 3650, retry_limit: 2 ** 31 - 1, heartbeat_seconds: 120, kept: true });
  await store.close();
});
