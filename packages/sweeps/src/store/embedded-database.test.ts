/** One folder, opened several times: by one process here, which is as good as by several. */
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRuns, openStore, saveRun, sweepsOf, takeRun, thisWorker } from '../index.ts';
import type { Store } from '../index.ts';
import { grid } from '../testing/pretended.ts';
import { serveDatabase, connectDatabase } from './database-socket.ts';

const root = await mkdtemp(join(tmpdir(), 'flowgrad-sweeps-'));
const folder = join(root, 'store');
afterAll(() => rm(root, { recursive: true, force: true }));

const open = (): Promise<Store> => openStore(folder, { create: true, purpose: 'work', heartbeatSeconds: 10 });
let [first, second]: Store[] = [];
beforeAll(async () => {
  // Somebody was killed while a store was made here.
  await mkdir(join(folder, 'data-unfinished', 'global'), { recursive: true });
  await writeFile(join(folder, 'data-unfinished', 'PG_VERSION'), '18');
  [first, second] = await Promise.all([open(), open()]);
  await first.database.query('create table numbers (n int)');
});

const numbers = async (store: Store): Promise<number[]> =>
  (await store.database.query<{ n: number }>('select n from numbers order by n')).map(({ n }) => n);

test('what one writes the others see, bytes and errors included', async () => {
  const bytes = Buffer.from([0, 1, 254, 255]);
  for (const { database } of [first, second]) {
    const [row] = await database.query<{ b: Uint8Array; n: number; at: Date }>(
      `select $1::bytea as b, $2::int as n, '2020-01-01'::timestamptz as at`,
      [bytes, 7],
    );
    expect(Buffer.from(row.b)).toEqual(bytes);
    expect(row).toMatchObject({ n: 7, at: new Date('2020-01-01T00:00:00Z') });
    await expect(database.query('select 1 from nowhere')).rejects.toMatchObject({ code: '42P01' });
  }
  expect(await addRuns(second, 'shared', grid(2))).toMatchObject({ added: 2 });
  expect(await addRuns(first, 'shared', grid(2))).toMatchObject({ added: 0 });
});

test('transactions of several do not mix, and one that fails is undone', async () => {
  const stores = [first, second, await open()];
  await Promise.all(
    [...Array(30).keys()].map((i) =>
      stores[i % 3].database
        .transaction(async ({ query }) => {
          const [{ count }] = await query<{ count: number }>('select count(*)::int as count from numbers');
          await query('insert into numbers values ($1)', [count]);
          if (i % 10 === 9) throw new Error('not this one');
        })
        .catch((error: Error) => expect(error.message).toBe('not this one')),
    ),
  );
  expect(await numbers(second)).toEqual([...Array(27).keys()]);
  await stores[2].close();
});

test('a transaction is undone when its process is gone, or silent in the middle of it', async () => {
  const asked = (message: object): Buffer => {
    const content = serialize(message);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(content.length);
    return Buffer.concat([length, content]);
  };
  const begun = async (path: string) => {
    const socket = connect(path);
    socket.write(asked({ kind: 'begin' }));
    await once(socket, 'data');
    socket.write(asked({ kind: 'query', text: 'insert into numbers values (-1)' }));
    await once(socket, 'data');
    return socket;
  };
  const gone = await begun(await readFile(join(folder, 'address'), 'utf8'));
  const waiting = numbers(second);
  gone.destroy();
  expect(await waiting).not.toContain(-1);

  const path = join(root, 'impatient');
  const end = await serveDatabase(first.database, path, 0.1);
  const silent = await begun(path);
  const cut = once(silent, 'close');
  expect(await numbers(first)).not.toContain(-1);
  await cut;
  await end();
  await expect(connectDatabase(path, () => undefined)).rejects.toThrow();
});

test('the runs of a worker that ended without a word are free at once, those of others are not', async () => {
  const arithmetic = 'wasm-plain';
  const host = thisWorker().replace(/:\d+$/, '');
  const kept = await takeRun(first, { worker: thisWorker(), arithmetic });
  // No process has a number as large as that.
  const gone = await takeRun(first, { worker: `${host}:${2 ** 22 + 1}`, arithmetic });
  const again = await takeRun(second, { worker: thisWorker(), arithmetic });
  expect(gone!.run).not.toBe(kept!.run);
  expect(again!.run).toBe(gone!.run);
  expect(await takeRun(second, { worker: thisWorker(), arithmetic })).toBeUndefined();
  for (const attempt of [kept!, again!])
    await saveRun(second, attempt, { progress: {}, arithmetic, end: { kind: 'done' } });
  await expect(saveRun(first, gone!, { progress: {}, arithmetic, end: { kind: 'done' } })).rejects.toThrow(
    'another one does',
  );
});

test('when the one that has it ends, another has it, and nothing is lost', async () => {
  await first.close();
  expect((await sweepsOf(second))[0]).toMatchObject({ counts: { done: 2, waiting: 0 } });
  const third = await open();
  expect(await numbers(third)).toHaveLength(27);
  await second.close();
  expect(await numbers(third)).toHaveLength(27);
  await third.close();
  await expect(third.database.query('select 1')).rejects.toThrow('got it closed');
});

test('a store that is damaged is said, and what can be done', async () => {
  await truncate(join(folder, 'data', 'global', 'pg_control'), 100);
  await expect(open()).rejects.toThrow(/^store: expected the database in .* to open, got .* remove it/);
  // Whoever failed to open it is not in the way of others.
  await expect(open()).rejects.toThrow('to open, got');
});
