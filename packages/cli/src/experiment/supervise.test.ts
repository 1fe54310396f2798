import { resolveRun } from '@flowgrad/evaluation';
import type { RunEvent } from '@flowgrad/evaluation/node';
import { expect, test } from 'vitest';
import { tinyWorld } from '../testing/run-captured.ts';
import type { RunEnd, RunProcess } from './run-process.ts';
import { supervise } from './supervise.ts';
import type { Outcome, PlannedRun, RunSource, SupervisorEvent, SupervisorOptions } from './supervise.ts';

const planned = (count: number): PlannedRun[] =>
  Array.from({ length: count }, (_, i) => ({
    config: resolveRun({ group: tinyWorld, model: 'GAT', seed: i + 1 }),
    folder: `run ${i + 1}`,
  }));

/** Processes that end when the test says so. */
function pretended() {
  const started: {
    folder: string;
    threads: number;
    end: (how: RunEnd) => void;
    tell: (event: RunEvent) => void;
  }[] = [];
  const start = ({ folder }: PlannedRun, threads: number, tell: (event: RunEvent) => void): RunProcess => {
    let end: (how: RunEnd) => void = () => undefined;
    const ended = new Promise<RunEnd>((resolve) => (end = resolve));
    started.push({ folder, threads, end, tell });
    return { ended, stop: () => end({ kind: 'stopped' }) };
  };
  return { started, start };
}

/** Trains a list; `left` are those that were not done when it was told to stop. */
async function superviseList(
  runs: readonly PlannedRun[],
  options: SupervisorOptions,
): Promise<Outcome & { readonly left: readonly PlannedRun[] }> {
  const waiting = [...runs];
  const source: RunSource<PlannedRun> = {
    get waiting() {
      return waiting.length;
    },
    next: async () => waiting.shift(),
    giveBack: (run) => waiting.unshift(run),
    more: async () => false,
  };
  return { ...(await supervise(source, options)), left: waiting };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('one run per core, the next when one ends, and a failure stops nobody', async () => {
  const { started, start } = pretended();
  const events: SupervisorEvent[] = [];
  const outcome = superviseList(planned(4), {
    cores: 2,
    signal: new AbortController().signal,
    start,
    onEvent: (event) => events.push(event),
  });
  await settled();
  expect(started.map(({ folder, threads }) => [folder, threads])).toEqual([
    ['run 1', 1],
    ['run 2', 1],
  ]);
  started[0].end({ kind: 'failed', reason: 'broken' });
  await settled();
  expect(started.map(({ folder }) => folder)).toEqual(['run 1', 'run 2', 'run 3']);
  started[1].end({ kind: 'done' });
  await settled();
  for (const { end } of started.slice(2)) end({ kind: 'done' });
  const { done, failed, left } = await outcome;
  expect(done.map(({ folder }) => folder)).toEqual(['run 2', 'run 3', 'run 4']);
  expect(failed.map(({ run, reason }) => [run.folder, reason])).toEqual([['run 1', 'broken']]);
  expect(left).toEqual([]);
  expect(events.filter(({ kind }) => kind === 'failed')).toHaveLength(1);
});

test('when it is told to stop, runs under way are stopped and nothing new begins', async () => {
  const { started, start } = pretended();
  const stop = new AbortController();
  const outcome = superviseList(planned(5), {
    cores: 2,
    signal: stop.signal,
    start,
    onEvent: () => undefined,
  });
  await settled();
  started[0].end({ kind: 'done' });
  await settled();
  stop.abort();
  const { done, left } = await outcome;
  expect(started).toHaveLength(3);
  expect(done).toHaveLength(1);
  expect(left.map(({ folder }) => folder).sort()).toEqual(['run 2', 'run 3', 'run 4', 'run 5']);
});

const startEvent = (config: PlannedRun['config']): RunEvent => ({
  kind: 'start',
  config,
  backend: 'wasm',
  steps: 1e9,
  step: 0,
});

test('the last run, if it has long to go, goes on with the cores that became free', async () => {
  const { started, start } = pretended();
  const runs = planned(2);
  const outcome = superviseList(runs, {
    cores: 2,
    signal: new AbortController().signal,
    start,
    onEvent: () => undefined,
  });
  await settled();
  started[1].tell(startEvent(runs[1].config));
  await new Promise((resolve) => setTimeout(resolve, 5));
  started[1].tell({ kind: 'step', step: 1, loss: 1 });
  started[0].end({ kind: 'done' });
  await settled();
  await settled();
  expect(started.map(({ folder, threads }) => [folder, threads])).toEqual([
    ['run 1', 1],
    ['run 2', 1],
    ['run 2', 2],
  ]);
  started[2].end({ kind: 'done' });
  expect((await outcome).done).toHaveLength(2);
});

test('a run that is almost done is left alone', async () => {
  const { started, start } = pretended();
  const outcome = superviseList(planned(2), {
    cores: 2,
    signal: new AbortController().signal,
    start,
    onEvent: () => undefined,
  });
  await settled();
  started[0].end({ kind: 'done' });
  await settled();
  await settled();
  expect(started).toHaveLength(2);
  started[1].end({ kind: 'done' });
  expect((await outcome).done).toHaveLength(2);
});
