import { basename, extname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { unknownName } from '@flowgrad/tensor';
import { defineCommand, exitCodes } from '../command.ts';
import type { Context } from '../command.ts';
import { chosenDevice } from '../experiment/chosen-device.ts';
import { progressView } from '../experiment/progress-view.ts';
import { gridFlags, readGrid } from '../experiment/read-grid.ts';
import { integerFlag, switchFlag, textFlag } from '../flags/flag.ts';
import { deviceFlags, threadsFlag, verboseFlag } from '../flags/run-flags.ts';
import { runTitle } from '../runs/train-with-progress.ts';
import { fetchRuns } from '../sweep/fetch.ts';
import { loadSweeps, storeAddress, storeFlag, troubleTold, withStore } from '../sweep/open-store.ts';
import { statusLines } from '../sweep/status.ts';
import { work } from '../sweep/work.ts';
import { createLiveLines } from '../terminal/live-lines.ts';
import { UsageError } from '../usage-error.ts';

const workFlags = {
  jobs: integerFlag({ about: 'work: runs at the same time (default one per core)', least: 1, most: 1024 }),
  ...deviceFlags,
  threads: threadsFlag('work: threads of each run (default 1, more for the last)'),
  'any-device': switchFlag(
    'work: go on with runs that were begun on another arithmetic too; numbers may differ',
  ),
  stay: switchFlag('work: wait for more when everything is done'),
  tries: integerFlag({
    about: 'work: failures after which a run is set aside',
    least: 1,
    most: 1000,
    initial: 3,
  }),
};

const flags = {
  ...storeFlag,
  name: textFlag({
    value: '<sweep>',
    about: 'the sweep (add: default the name of the file, or sweep; else: all)',
  }),
  run: textFlag({ value: '<id>', about: 'cancel, retry, fetch: only the run whose id begins so' }),
  heartbeat: integerFlag({
    about:
      'add, to a new store: seconds of silence after which a worker counts as lost (default 120; in a folder a day)',
    least: 10,
    most: 86_400,
  }),
  ...workFlags,
  out: textFlag({ value: '<folder>', about: 'fetch: where the run folders go', initial: 'runs' }),
  unfinished: switchFlag('fetch: runs that are not done too, to go on with by train --resume'),
  once: switchFlag('status: show it once and end, as elsewhere than on a terminal'),
  ...gridFlags,
  json: switchFlag('JSON; work: events as lines'),
  ...verboseFlag,
};

type SweepContext = Context<typeof flags>;

const common = ['store', 'models', 'json', 'verbose'] as const;
/** What each action does, and the flags that mean something to it. */
const actions = {
  add: { run: add, takes: ['name', 'heartbeat', ...Object.keys(gridFlags)] },
  work: { run: workHere, takes: ['name', ...Object.keys(workFlags)] },
  status: { run: status, takes: ['name', 'once'] },
  cancel: { run: cancel, takes: ['name', 'run'] },
  retry: { run: retry, takes: ['name', 'run'] },
  fetch: { run: fetch, takes: ['name', 'run', 'out', 'unfinished'] },
  roles: { run: roles, takes: [] },
} as const satisfies Record<
  string,
  { run: (context: SweepContext) => Promise<number>; takes: readonly string[] }
>;

export const sweep = defineCommand({
  name: 'sweep',
  summary: 'Grids of runs in a store, trained by workers on any number of machines.',
  usage: `sweep ${Object.keys(actions).join('|')} [grid.json|.js|.ts] [flags]`,
  takes: [1, 2],
  examples: [
    { line: 'sweep add grid.json --name paper', about: 'into runs/.sweep, a store in a folder' },
    { line: 'sweep work', about: 'trains it on all cores; Ctrl-C stops, the same line goes on' },
    { line: 'sweep fetch --out runs', about: 'run folders as if trained by train' },
    {
      line: 'sweep work --store postgres://worker@db.example/sweeps',
      about:
        'a worker of a server, on as many machines as there are; the password in PGPASSWORD or ~/.pgpass',
    },
    { line: 'sweep status --store postgres://reader@db.example/sweeps', about: 'a live table' },
  ],
  flags,
  ownModels: 'beside names',
  stopsInOrder: true,
  run: async (context) => {
    const [name] = context.args;
    const action = Object.entries(actions).find(([each]) => each === name)?.[1];
    if (!action) throw new UsageError(unknownName('sweep', name, Object.keys(actions)));
    if (context.args.length > 1 && name !== 'add') {
      throw new UsageError(`sweep ${name}: expected flags alone, got '${context.args[1]}'`);
    }
    const known = new Set<string>([...common, ...action.takes]);
    if (context.flags.models && name !== 'add')
      throw new UsageError(
        `sweep ${name}: expected modules behind --models, got ${context.flags.models.join(', ')}`,
      );
    const odd = Object.entries(flags).find(
      ([flag, { initial }]) => !known.has(flag) && context.flags[flag as keyof typeof flags] !== initial,
    );
    if (odd)
      throw new UsageError(
        `sweep ${name}: expected flags among ${[...known].map((each) => `--${each}`).join(', ')}, got --${odd[0]}`,
      );
    context.enter?.('working');
    return action.run(context);
  },
});

async function add({ args: [, file], flags, env, stdout }: SweepContext): Promise<number> {
  const runs = await readGrid('sweep add', file, flags);
  const name = flags.name ?? (file === undefined ? 'sweep' : basename(file, extname(file)));
  const address = await storeAddress(flags.store, env);
  const { heartbeat: heartbeatSeconds } = flags;
  const options = {
    ...{ create: true, purpose: 'change' as const },
    ...(heartbeatSeconds !== undefined && { heartbeatSeconds }),
  };
  const added = await withStore(address, options, (store, { addRuns }) => addRuns(store, name, runs));
  if (flags.json) stdout.write(`${JSON.stringify(added)}\n`);
  else {
    const before = added.runs - added.added;
    const known = before === 0 ? '' : `, ${before} were there before`;
    stdout.write(
      `${added.added} runs added to ${added.sweep}${known}; ${added.done} of ${added.runs} are done\n`,
    );
  }
  return exitCodes.ok;
}

async function workHere(context: SweepContext): Promise<number> {
  const { flags, env, signal, stdout, stderr } = context;
  const address = await storeAddress(flags.store, env);
  const device = await chosenDevice(flags.device);
  const view = progressView(context, { json: flags.json });
  const onTrouble = troubleTold(stderr);
  const outcome = await withStore(
    address,
    { purpose: 'work', waitSeconds: 120, onTrouble },
    async (store, sweeps) =>
      work(store, sweeps, {
        ...{ device, env, signal, onTrouble, onEvent: view.show },
        ...{ jobs: flags.jobs, threads: flags.threads, tries: flags.tries },
        ...{ anyDevice: flags['any-device'], sweep: flags.name, stays: flags.stay },
      }),
  ).finally(view.end);
  const { done, failed, unable } = outcome;
  if (flags.json) stdout.write(`${JSON.stringify({ kind: 'end', done, failed: failed.length })}\n`);
  else stdout.write(`${done} runs were done here\n`);
  if (unable !== undefined) throw new Error(unable);
  if (signal.aborted) {
    if (!flags.json)
      stderr.write('Stopped. What was under way waits in the store; the same command goes on.\n');
    return exitCodes.interrupted;
  }
  return failed.length > 0 ? exitCodes.failure : exitCodes.ok;
}

const redrawSeconds = 2;

async function status({ flags, env, signal, stdout }: SweepContext): Promise<number> {
  const address = await storeAddress(flags.store, env);
  await withStore(address, {}, async (store, { runsOf: runsIn, sweepsOf }) => {
    const look = async () => {
      const all = await sweepsOf(store);
      const sweeps = all.filter(({ sweep }) => flags.name === undefined || sweep === flags.name);
      const runs = await runsIn(store, {
        sweep: flags.name,
        ...(!flags.json && { states: ['running', 'failed'] as const }),
      });
      return { sweeps, runs };
    };
    if (flags.json) {
      stdout.write(`${JSON.stringify(await look())}\n`);
      return;
    }
    if (flags.once || !stdout.isTTY) {
      const { sweeps, runs } = await look();
      stdout.write(`${statusLines(sweeps, runs).join('\n')}\n`);
      return;
    }
    const live = createLiveLines(stdout);
    while (!signal.aborted) {
      const { sweeps, runs } = await look();
      const lines = statusLines(sweeps, runs);
      live.show(lines);
      const isOver = sweeps.every(({ counts }) => counts.waiting + counts.running === 0);
      if (isOver) {
        live.end();
        stdout.write(`${lines.join('\n')}\n`);
        return;
      }
      await wait(1000 * redrawSeconds, undefined, { signal }).catch(() => undefined);
    }
  });
  return exitCodes.ok;
}

async function cancel(context: SweepContext): Promise<number> {
  return change(context, 'cancelled', (store, { cancelRuns }, choice) => cancelRuns(store, choice));
}

async function retry(context: SweepContext): Promise<number> {
  return change(context, 'waiting again', (store, { retryRuns }, choice) => retryRuns(store, choice));
}

type Change = (
  ...args: [...Parameters<Parameters<typeof withStore>[2]>, { sweep: string; run: string | undefined }]
) => Promise<number>;

async function change({ flags, env, stdout }: SweepContext, what: string, apply: Change): Promise<number> {
  const { name, run } = flags;
  if (name === undefined) throw new UsageError('sweep: expected --name <sweep>, got none');
  const address = await storeAddress(flags.store, env);
  const count = await withStore(address, { purpose: 'change' }, (store, sweeps) =>
    apply(store, sweeps, { sweep: name, run }),
  );
  stdout.write(flags.json ? `${JSON.stringify({ runs: count })}\n` : `${count} runs are ${what}\n`);
  return exitCodes.ok;
}

async function fetch({ flags, env, stdout, stderr }: SweepContext): Promise<number> {
  const { out, name, unfinished, run: wanted = '' } = flags;
  const address = await storeAddress(flags.store, env);
  const { written, there, left } = await withStore(address, {}, async (store, sweeps) => {
    const all = (await sweeps.runsOf(store, { sweep: name })).filter(({ run }) => run.startsWith(wanted));
    const runs = all.filter(({ state }) => unfinished || state === 'done');
    return {
      ...(await fetchRuns(store, sweeps, { out, runs })),
      left: all.filter(({ state }) => state !== 'done'),
    };
  });
  if (flags.json) {
    stdout.write(
      `${JSON.stringify({ written, there, left: left.map(({ run, state }) => ({ run, state })) })}\n`,
    );
    return exitCodes.ok;
  }
  stdout.write(`${written.length} runs written to ${out}, ${there.length} were there before\n`);
  if (left.length > 0) {
    stderr.write(
      `Not done: ${left
        .slice(0, 3)
        .map(({ config }) => runTitle(config))
        .join('; ')}`,
    );
    stderr.write(left.length > 3 ? ` and ${left.length - 3} more\n` : '\n');
  }
  return exitCodes.ok;
}

async function roles({ stdout }: SweepContext): Promise<number> {
  const { rolesSql } = await loadSweeps();
  stdout.write(rolesSql);
  return exitCodes.ok;
}
