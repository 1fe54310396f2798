/** The same store on a server and in a folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checksumOf } from '@flowgrad/evaluation/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addRuns,
  AttemptLostError,
  beat,
  cancelRuns,
  leftOf,
  openStore,
  readStoredFiles,
  retryRuns,
  runId,
  runsOf,
  saveRun,
  sweepsOf,
  takeRun,
} from '../index.ts';
import type { Attempt, Store, Taker } from '../index.ts';
import { testDatabases } from '../testing/databases.ts';
import { grid } from '../testing/pretended.ts';

const databases = testDatabases();
const folder = await mkdtemp(join(tmpdir(), 'flowgrad-sweeps-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const here = { worker: 'here:1', arithmetic: 'wasm-relaxed' };
const elsewhere = { worker: 'elsewhere:1', arithmetic: 'wasm-plain' };
const filesOf = (contents: Record<string, string>) => ({
  files: Object.fromEntries(
    Object.entries(contents).map(([path, text]) => [
      path,
      { bytes: Buffer.byteLength(text), sha256: checksumOf(text) },
    ]),
  ),
  contents: Object.fromEntries(Object.entries(contents).map(([path, text]) => [path, Buffer.from(text)])),
});
const take = async (store: Store, taker: Taker = here): Promise<Attempt> => {
  const attempt = await takeRun(store, taker);
  expect(attempt).toBeDefined();
  return attempt!;
};

describe.for(['server', 'folder'] as const)('a store on a %s', (kind) => {
  let store: Store;
  beforeAll(async () => {
    const address = kind === 'server' ? await databases().create() : join(folder, 'store');
    store = await openStore(address, { create: true, heartbeatSeconds: 10, purpose: 'work' });
  });
  afterAll(() => store.close());

  test('adding a grid twice adds nothing, and a sweep is told by its counts', async () => {
    expect(await addRuns(store, 'first', grid(3))).toEqual({ sweep: 'first', runs: 3, added: 3, done: 0 });
    expect(await addRuns(store, 'first', grid(3))).toEqual({ sweep: 'first', runs: 3, added: 0, done: 0 });
    expect(await sweepsOf(store)).toEqual([
      { sweep: 'first', counts: { waiting: 3, running: 0, done: 0, failed: 0, cancelled: 0 } },
    ]);
  });

  test('runs are taken in their order, saved in one transaction, and done once', async () => {
    const attempt = await take(store);
    expect(attempt.config.seed).toBe(1);
    const first = { 'config.json': '{}', 'snapshots/epoch-0001.safetensors': 'one' };
    await saveRun(store, attempt, {
      files: filesOf(first),
      progress: { step: 10, steps: 30, fromStep: 0, epoch: 1, device: 'test' },
      arithmetic: here.arithmetic,
    });
    const [run] = await runsOf(store, { states: ['running'] });
    expect(run).toMatchObject({
      state: 'running',
      worker: 'here:1',
      epoch: 1,
      step: 10,
      steps: 30,
      device: 'test',
    });
    expect(Object.keys(await readStoredFiles(store, attempt.run))).toEqual(Object.keys(first));
    await saveRun(store, attempt, {
      files: {
        files: filesOf({ 'config.json': '{}', 'summary.json': 'all' }).files,
        contents: filesOf({ 'summary.json': 'all' }).contents,
      },
      progress: { step: 30, epoch: 3 },
      arithmetic: here.arithmetic,
      end: { kind: 'done' },
    });
    const stored = await readStoredFiles(store, attempt.run);
    expect(Object.entries(stored).map(([path, content]) => [path, Buffer.from(content).toString()])).toEqual([
      ['config.json', '{}'],
      ['summary.json', 'all'],
    ]);
    await expect(beat(store, attempt, {})).rejects.toThrow(AttemptLostError);
    expect((await runsOf(store, { states: ['done'] })).map(({ run }) => run)).toEqual([attempt.run]);
  });

  test('a run that was begun is handed on to the same arithmetic alone, unless any will do', async () => {
    const attempt = await take(store);
    expect(attempt.config.seed).toBe(2);
    await saveRun(store, attempt, {
      files: filesOf({ 'config.json': '{}' }),
      progress: {},
      arithmetic: here.arithmetic,
      end: { kind: 'released' },
    });
    const other = await take(store, elsewhere);
    expect(other.config.seed).toBe(3);
    expect(await takeRun(store, elsewhere)).toBeUndefined();
    const same = await take(store);
    expect(same.run).toBe(attempt.run);
    expect(BigInt(same.token)).toBeGreaterThan(BigInt(attempt.token));
    await saveRun(store, same, { progress: {}, arithmetic: here.arithmetic, end: { kind: 'released' } });
    const any = await take(store, { ...elsewhere, anyDevice: true });
    expect(any.run).toBe(attempt.run);
    for (const each of [any, other]) {
      await saveRun(store, each, { progress: {}, arithmetic: here.arithmetic, end: { kind: 'done' } });
    }
    expect(await leftOf(store)).toEqual({ waiting: 0, running: 0 });
  });

  test('a run that always fails is set aside with its reason, and tried again when somebody asks', async () => {
    await addRuns(store, 'failing', grid(1, 4));
    for (let i = 1; i <= 3; i++) {
      const attempt = await take(store);
      await saveRun(store, attempt, {
        progress: {},
        arithmetic: here.arithmetic,
        end: { kind: 'failed', reason: `broken ${i}`, tries: 3 },
      });
    }
    expect(await takeRun(store, here)).toBeUndefined();
    expect(await runsOf(store, { sweep: 'failing' })).toMatchObject([
      { state: 'failed', reason: 'broken 3' },
    ]);
    expect(await retryRuns(store, { sweep: 'failing' })).toBe(1);
    const again = await take(store);
    await saveRun(store, again, { progress: {}, arithmetic: here.arithmetic, end: { kind: 'done' } });
    expect(await runsOf(store, { sweep: 'failing' })).toMatchObject([{ state: 'done' }]);
  });

  test('a run that is cancelled is taken from its worker, whose writes are refused', async () => {
    await addRuns(store, 'cancelled', grid(2, 5));
    const attempt = await take(store);
    expect(await cancelRuns(store, { sweep: 'cancelled' })).toBe(2);
    await expect(
      saveRun(store, attempt, { files: filesOf({ 'config.json': '{}' }), progress: {}, arithmetic: 'x' }),
    ).rejects.toThrow(AttemptLostError);
    expect(await readStoredFiles(store, attempt.run)).toEqual({});
    expect(await takeRun(store, here)).toBeUndefined();
    expect(await retryRuns(store, { sweep: 'cancelled', run: attempt.run })).toBe(1);
    expect((await take(store)).run).toBe(attempt.run);
    await cancelRuns(store, { sweep: 'cancelled' });
  });

  test('two sweeps share a run: it is trained once, and cancelled in one it goes on in the other', async () => {
    const [run] = grid(1, 6);
    await addRuns(store, 'one', [run]);
    await addRuns(store, 'two', [run]);
    const attempt = await take(store, { ...here, sweep: 'one' });
    expect(await takeRun(store, { ...here, sweep: 'two' })).toBeUndefined();
    await cancelRuns(store, { sweep: 'one' });
    await beat(store, attempt, {}).then(
      () => expect.fail('a cancelled job must not be heard'),
      (error: unknown) => expect(error).toBeInstanceOf(AttemptLostError),
    );
    expect(await runsOf(store, { sweep: 'two' })).toMatchObject([{ run: runId(run), state: 'waiting' }]);
    await cancelRuns(store, { sweep: 'two' });
    expect(await runsOf(store, { sweep: 'two' })).toMatchObject([{ state: 'cancelled' }]);
  });

  test('unknown sweeps and odd names are refused', async () => {
    await expect(cancelRuns(store, { sweep: 'frist' })).rejects.toThrow(
      /expected a sweep of .* among first, /,
    );
    await expect(addRuns(store, '../x', grid(1))).rejects.toThrow(
      'sweep: expected a name of 1 to 60 letters',
    );
  });
});
