/** `flowgrad sweep` with real processes, on a server and in a folder. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRuns } from '@flowgrad/evaluation/node';
import { startPostgres } from '@flowgrad/postgres-tool';
import type { PostgresServer } from '@flowgrad/postgres-tool';
import { openStore } from '@flowgrad/sweeps';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runChild, startChild } from '../testing/child.ts';
import type { Child } from '../testing/child.ts';
import { metricsOf } from '../testing/metrics-of.ts';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();
let server: PostgresServer;
/** Where the tests without a server have their store, one for all of them: to make it takes five seconds of a processor. */
let shared: string;
beforeAll(async () => {
  server = await startPostgres();
  shared = await emptyFolder();
});
afterAll(() => server.remove());

const grid = { groups: [tinyWorld], models: ['GGNN-MulMlp'], seeds: '1..2', epochs: 3, options: { d: 4 } };
const worker = ['sweep', 'work', '--device', 'wasm'];

test('three commands without a server: add, work, fetch; report and evaluate take the store too', async () => {
  const folder = shared;
  await writeFile(join(folder, 'tiny.json'), JSON.stringify(grid));
  const added = await runChild(['sweep', 'add', 'tiny.json'], folder);
  expect(added.stdout).toBe('2 runs added to tiny; 0 of 2 are done\n');
  const worked = await runChild(worker, folder);
  expect(worked).toMatchObject({ code: 0, stdout: '2 runs were done here\n' });
  expect((await runChild(['sweep', 'add', 'tiny.json'], folder)).stdout).toBe(
    '0 runs added to tiny, 2 were there before; 2 of 2 are done\n',
  );
  expect((await runChild(['sweep', 'fetch'], folder)).stdout).toBe(
    '2 runs written to runs, 0 were there before\n',
  );

  const store = join(folder, 'runs', '.sweep');
  const [fromStore, fromFolder] = await Promise.all(
    [store, join(folder, 'runs')].map((place) => runCaptured(['report', place])),
  );
  expect(fromStore).toMatchObject({ code: 0, stdout: fromFolder.stdout });
  const { runs } = JSON.parse(
    (await runCaptured(['sweep', 'status', '--json', '--store', store])).stdout,
  ) as {
    runs: { run: string; config: { seed: number } }[];
  };
  const [{ run }] = runs.filter(({ config }) => config.seed === 2);
  const words = ['--device', 'wasm', '--threads', '1'];
  const ofStore = await runCaptured(['evaluate', store, '--run', run.slice(0, 10), ...words]);
  const path = (await findRuns(join(folder, 'runs'))).find((each) => each.includes('seed2-'))!;
  expect(ofStore).toMatchObject({
    code: 0,
    stdout: (await runCaptured(['evaluate', path, ...words])).stdout,
  });

  const alone = await emptyFolder();
  const settings = { ...grid, group: tinyWorld, model: 'GGNN-MulMlp', seed: 2 };
  const { groups: _, models: __, seeds: ___, ...plain } = settings;
  await runChild(['train', '--settings', JSON.stringify(plain), '--device', 'wasm', '--out', 'run'], alone);
  expect(await metricsOf(path)).toEqual(await metricsOf(join(alone, 'run')));
});

test('the password of a server is refused in the list of processes, and reaches neither logs nor trainings', async () => {
  const folder = await emptyFolder();
  const secret = decodeURIComponent(new URL(server.url).password);
  const refused = await runChild(['sweep', 'work', '--store', server.url], folder);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(
    'expected an address without a password, got one for postgres://owner@127.0.0.1',
  );
  expect(refused.stderr).not.toContain(secret);

  const env = { PGPASSWORD: secret };
  const store = ['--store', server.url.replace(`:${secret}@`, '@')];
  const long = { ...grid, seeds: [1], epochs: 500 };
  await writeFile(join(folder, 'long.json'), JSON.stringify(long));
  const added = await runChild(['sweep', 'add', 'long.json', ...store], folder, env);
  const child = startChild([...worker, ...store], folder, env);
  await child.said(/started: /);
  const { pid } = child.process;
  const textOf = (file: string): Promise<string> => readFile(`/proc/${file}`, 'latin1').catch(() => '');
  // Between its fork and its start a process has no words.
  let [training, words] = ['', ''];
  while (!words.includes('--resume')) {
    training = (await textOf(`${pid}/task/${pid}/children`)).trim().split(' ')[0];
    words = await textOf(`${training}/cmdline`);
  }
  const seen = [words, await textOf(`${pid}/cmdline`), await textOf(`${training}/environ`)];
  expect(seen[2]).toContain('FLOWGRAD_SUPERVISED');
  expect(seen.join()).not.toContain(secret);
  const status = await runChild(['sweep', 'status', ...store], folder, env);
  expect(status.stdout).toMatch(/long +0 +1 +0 +0 +0\n[^]*GGNN-MulMlp/);
  child.process.kill('SIGINT');
  const { code, stderr, stdout } = await child.ended;
  expect(code).toBe(130);
  expect(stderr).toContain('What was under way waits in the store');
  expect([added, status, { stdout, stderr }].map((each) => each.stdout + each.stderr).join()).not.toContain(
    secret,
  );
  expect((await runChild(['sweep', 'status', ...store], folder, env)).stdout).toMatch(/long +1 +0 +0 +0 +0/);
  expect((await runChild(['sweep', 'cancel', '--name', 'long', ...store], folder, env)).stdout).toBe(
    '1 runs are cancelled\n',
  );
  const wrong = await runChild(['sweep', 'status', ...store], folder, { PGPASSWORD: 'wr0ng-pass' });
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(
    /^flowgrad: store: postgres:.*: expected the password of the user, got another/,
  );
  expect(wrong.stderr).not.toContain('wr0ng-pass');
});

/** Preloaded, an engine without relaxed SIMD: modules with a fused product, 0xfd 0x105, are none to it. */
const withoutRelaxed = `data:text/javascript,${encodeURIComponent(`
  const validate = WebAssembly.validate;
  WebAssembly.validate = (bytes) => !Buffer.from(bytes).includes(Buffer.from([0xfd, 0x85, 0x02])) && validate(bytes);
`)}`;

test('a run that was begun is left to workers of the same arithmetic, unless a worker takes any', async () => {
  const folder = await emptyFolder();
  const env = { FLOWGRAD_STORE: await server.createDatabase('arithmetic') };
  const plain = { ...env, NODE_OPTIONS: `--import=${withoutRelaxed}` };
  await writeFile(join(folder, 'one.json'), JSON.stringify({ ...grid, seeds: [1], epochs: 40 }));
  await runChild(['sweep', 'add', 'one.json'], folder, env);
  const store = await openStore(env.FLOWGRAD_STORE);
  const { query } = store.database;
  const statusNow = async () =>
    (await query<{ state: string; epoch: number }>('select state, epoch from flowgrad.runs'))[0];
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  const stopped = async (child: Child): Promise<void> => {
    child.process.kill('SIGINT');
    expect(await child.ended).toMatchObject({ code: 130 });
  };
  const first = startChild(worker, folder, env);
  await first.said(/started: /);
  await until(async () => (await statusNow()).epoch > 0);
  await stopped(first);
  const { epoch } = await statusNow();

  const other = startChild([...worker, '--json'], folder, plain);
  // It has looked at the run, and passed it on to the queue of those who may take it.
  await until(
    async () => (await query('select 1 from flowgrad.queues where arithmetic is not null')).length > 0,
  );
  await stopped(other);
  expect((await other.ended).stdout).toBe('{"kind":"end","done":0,"failed":0}\n');
  expect(await statusNow()).toMatchObject({ state: 'waiting', epoch });

  expect(await runChild([...worker, '--any-device'], folder, plain)).toMatchObject({ code: 0 });
  expect(await statusNow()).toMatchObject({ state: 'done', epoch: 40 });
  const attempts = await query(
    'select outcome, arithmetic, device, from_step > 0 as goes_on from flowgrad.attempts order by token',
  );
  await store.close();
  expect(attempts).toEqual([
    expect.objectContaining({
      outcome: 'released',
      arithmetic: expect.stringContaining('wasm-relaxed') as string,
      goes_on: false,
    }),
    expect.objectContaining({
      outcome: 'done',
      arithmetic: 'wasm-plain',
      device: expect.stringContaining('plain SIMD') as string,
      goes_on: true,
    }),
  ]);
});

test('the status on a terminal is drawn again until it is over', async () => {
  const store = ['--store', join(shared, 'runs', '.sweep')];
  await writeFile(join(shared, 'waiting.json'), JSON.stringify({ ...grid, seeds: [3] }));
  await runCaptured(['sweep', 'add', join(shared, 'waiting.json'), ...store]);
  const stop = new AbortController();
  const status = ['sweep', 'status', ...store];
  const looked = await runCaptured(status, {
    isTTY: true,
    signal: stop.signal,
    onOutput: () => setTimeout(() => stop.abort(), 3000),
  });
  expect(looked.code).toBe(0);
  // Lines up and clear, then the same again.
  expect(looked.stdout.split('\x1b[J')).toHaveLength(2);
  expect(looked.stdout).toMatch(/waiting +1 +0 +0 +0 +0/);
  await runCaptured(['sweep', 'cancel', '--name', 'waiting', ...store]);
  const over = await runCaptured(status, { isTTY: true });
  expect(over.stdout).toMatch(/waiting +0 +0 +0 +0 +1\n$/);
});

test.for<[words: string, message: string]>([
  ['sweep wrok', "expected sweep among add, work, status, cancel, retry, fetch, roles, got 'wrok'"],
  [
    'sweep status --jobs 2',
    'sweep status: expected flags among --store, --models, --json, --verbose, --name, --once, got --jobs',
  ],
  ['sweep work grid.json', "sweep work: expected flags alone, got 'grid.json'"],
  ['sweep work --models GAT', 'sweep work: expected modules behind --models, got GAT'],
  ['sweep cancel', 'sweep: expected --name <sweep>, got none'],
  [
    'sweep add --store mysql://x',
    'expected a configuration file, or --groups and --models, got no --groups and no --models',
  ],
  ['sweep status --store mysql://x', 'store: expected postgres://… or a folder, got mysql://…'],
])('%s: %s', async ([words, message]) => {
  const { code, stderr } = await runCaptured(words);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
