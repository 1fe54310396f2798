/** Trains the grid of an experiment: adds it to the store that is in its folder, works on it, and fetches what others have trained. */
import { join } from 'node:path';
import type { RunConfig } from '@flowgrad/evaluation';
import { checksumOf, isRunDone } from '@flowgrad/evaluation/node';
import { fetchRuns } from '../sweep/fetch.ts';
import { withStore } from '../sweep/open-store.ts';
import { work } from '../sweep/work.ts';
import type { WorkOptions } from '../sweep/work.ts';
import type { PlannedRun } from './supervise.ts';

export interface GridOptions extends Pick<
  WorkOptions,
  'device' | 'jobs' | 'threads' | 'env' | 'signal' | 'onEvent' | 'onTrouble'
> {
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

/** The folders below `out` are what counts: a run is done if its folder says so, and begins where its folder ends. */
export async function trainGrid(out: string, options: GridOptions): Promise<GridOutcome> {
  const { waiting, finished, dataOf, ...others } = options;
  if (waiting.length === 0) return { done: [], failed: [], left: [] };
  const address = join(out, '.sweep');
  const { onTrouble } = others;
  return withStore(address, { create: true, purpose: 'work', onTrouble }, async (store, sweeps) => {
    const runs = new Map([...finished, ...waiting].map((run) => [sweeps.runId(run.config), run]));
    // The same grid is the same sweep, so that whoever asks for it at the same time shares its runs.
    const sweep = `experiment-${checksumOf([...runs.keys()].sort().join()).slice(0, 8)}`;
    await sweeps.addRuns(store, sweep, configsOf([...runs.values()]), { local: true });
    await sweeps.matchFolders(store, sweep, configsOf(finished));
    const { unable } = await work(store, sweeps, {
      ...others,
      ...{ sweep, tries: 1, anyDevice: true, stays: false },
      kept: (id) => {
        const { config, folder } = runs.get(id)!;
        return { folder, data: dataOf(config) };
      },
    });
    const found = await sweeps.runsOf(store, { sweep });
    await fetchRuns(store, sweeps, { out, runs: found.filter(({ state }) => state === 'done') });
    const reasons = new Map(
      found.flatMap(({ run, state, reason = '' }) => (state === 'failed' ? [[run, reason] as const] : [])),
    );
    const [done, failed, left]: [PlannedRun[], { run: PlannedRun; reason: string }[], PlannedRun[]] = [
      [],
      [],
      [],
    ];
    for (const run of waiting) {
      const reason = reasons.get(sweeps.runId(run.config));
      if (await isRunDone(run.folder)) done.push(run);
      else if (reason !== undefined) failed.push({ run, reason });
      else left.push(run);
    }
    return { done, failed, left, ...(unable !== undefined && { unable }) };
  });
}

const configsOf = (runs: readonly PlannedRun[]): RunConfig[] => runs.map(({ config }) => config);
