/** Trains the grid of an experiment: adds it to the store that is in its folder, works on it, and fetches what others have trained. */
import { join } from 'node:path';
import type { RunConfig } from '@flowgrad/evaluation';
import { checksumOf, isRunDone } from '@flowgrad/evaluation/node';
import type { DeviceName } from '@flowgrad/tensor/node';
import { fetchRuns } from '../sweep/fetch.ts';
import { withStore } from '../sweep/open-store.ts';
import { work } from '../sweep/work.ts';
import type { WorkOptions } from '../sweep/work.ts';
import { chosenDevice } from './chosen-device.ts';
import type { PlannedRun } from './supervise.ts';

export interface GridOptions extends Pick<
  WorkOptions,
  'jobs' | 'threads' | 'env' | 'signal' | 'onEvent' | 'onTrouble'
> {
  readonly device: DeviceName;
  readonly waiting: readonly PlannedRun[];
  /** Those that are done, as their folders say. */
  readonly finished: readonly PlannedRun[];
  /** The folder of a run's dataset, if it is on one. */
  readonly dataOf: (config: RunConfig) => string | undefined;
}

export interface GridOutcome {
  readonly done: readonly PlannedRun[];
  readonly failed: readonly { readonly run: PlannedRun; readonly reason: string }[];
  /** Not done when it was told to stop, or was unable to go on. */
  readonly left: readonly PlannedRun[];
  readonly unable?: string;
}

/** Seconds in which the store is to answer: another experiment may be making it, or be gone. */
const waitSeconds = 300;

/** The folders below `out` are what counts: a run is done if its folder says so, and begins where its folder ends. */
export async function trainGrid(out: string, options: GridOptions): Promise<GridOutcome> {
  const { waiting, finished, dataOf, ...others } = options;
  if (waiting.length === 0) return { done: [], failed: [], left: [] };
  // Before anything is written: perhaps there is none.
  const device = await chosenDevice(options.device);
  const address = join(out, '.sweep');
  const { signal, onTrouble } = others;
  const open = { create: true, purpose: 'work', waitSeconds, onTrouble } as const;
  return withStore(address, open, async (store, sweeps) => {
    // Another experiment may have the store, and be killed: this one has it then, and asks again.
    const surely = <T>(what: () => Promise<T>): Promise<T> =>
      sweeps.onceReachable(what, { seconds: waitSeconds, signal, onTrouble });
    const runs = new Map([...finished, ...waiting].map((run) => [sweeps.runId(run.config), run]));
    // The same grid is the same sweep, so that whoever asks for it at the same time shares its runs.
    const sweep = `experiment-${checksumOf([...runs.keys()].sort().join()).slice(0, 8)}`;
    await surely(() => sweeps.addRuns(store, sweep, configsOf([...runs.values()]), { local: true }));
    await surely(() => sweeps.matchFolders(store, sweep, configsOf(finished)));
    const { unable } = await work(store, sweeps, {
      ...others,
      device,
      ...{ sweep, tries: 1, anyDevice: true, stays: false },
      kept: (id) => {
        const { config, folder } = runs.get(id)!;
        return { folder, data: dataOf(config) };
      },
    });
    const found = await surely(() => sweeps.runsOf(store, { sweep }));
    const done = found.filter(({ state }) => state === 'done');
    await surely(() => fetchRuns(store, sweeps, { out, runs: done }));
    const reasons = new Map(
      found.flatMap(({ run, state, reason = '' }) => (state === 'failed' ? [[run, reason] as const] : [])),
    );
    const trained: PlannedRun[] = [];
    const failed: { run: PlannedRun; reason: string }[] = [];
    const left: PlannedRun[] = [];
    for (const run of waiting) {
      const reason = reasons.get(sweeps.runId(run.config));
      if (await isRunDone(run.folder)) trained.push(run);
      else if (reason !== undefined) failed.push({ run, reason });
      else left.push(run);
    }
    return { done: trained, failed, left, ...(unable !== undefined && { unable }) };
  });
}

const configsOf = (runs: readonly PlannedRun[]): RunConfig[] => runs.map(({ config }) => config);
