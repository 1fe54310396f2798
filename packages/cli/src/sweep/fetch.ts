/** Runs from a store as folders, as if they had been trained here. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveRun } from '@flowgrad/evaluation';
import { isRunDone, readConfig, readRunFiles, writeRunFiles } from '@flowgrad/evaluation/node';
import type { RunStatus, Store } from '@flowgrad/sweeps';
import { runPath } from '../runs/run-path.ts';
import { withStore } from './open-store.ts';
import type { Sweeps } from './open-store.ts';

export interface Fetched {
  /** Folders that were written. */
  readonly written: readonly string[];
  /** Folders that held the finished run already. */
  readonly there: readonly string[];
}

/** Writes runs below `out`. Names of files come from the store: only those of a run's own files are taken. */
export async function fetchRuns(
  store: Store,
  sweeps: Sweeps,
  { out, runs }: { readonly out: string; readonly runs: readonly RunStatus[] },
): Promise<Fetched> {
  const [written, there]: [string[], string[]] = [[], []];
  for (const { run, config } of runs) {
    const folder = runPath(out, config);
    const known = await readConfig(folder);
    if (known && JSON.stringify(known) === JSON.stringify(resolveRun(config)) && (await isRunDone(folder))) {
      there.push(folder);
      continue;
    }
    const files = await filesOf(store, sweeps, { run, config });
    if (Object.keys(files).length === 0) continue;
    await writeRunFiles(folder, files);
    written.push(folder);
  }
  return { written, there };
}

/** From the store, or of a run of an experiment from its folder, which is beside the store. */
async function filesOf(
  store: Store,
  sweeps: Sweeps,
  { run, config }: Pick<RunStatus, 'run' | 'config'>,
): Promise<Readonly<Record<string, Uint8Array>>> {
  const stored = await sweeps.readStoredFiles(store, run);
  if (store.folder === undefined || Object.keys(stored).length > 0) return stored;
  return (await readRunFiles(runPath(dirname(store.folder), config)))?.contents ?? {};
}

/** Whether a path or an address is that of a store, rather than of a folder of runs. */
export async function isStore(text: string): Promise<boolean> {
  if (/^postgres(ql)?:\/\//i.test(text)) return true;
  // Looked at here: whoever has no store needs no package for it.
  const found = await stat(join(text, 'data', 'PG_VERSION')).catch(() => undefined);
  return found?.isFile() ?? false;
}

/** The finished runs of a store in a folder that is there while `work` looks at it. */
export async function withFetchedRuns<T>(
  address: string,
  choose: (run: RunStatus) => boolean,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'flowgrad-fetched-'));
  try {
    await withStore(address, {}, async (store, sweeps) => {
      const runs = (await sweeps.runsOf(store, { states: ['done'] })).filter(choose);
      await fetchRuns(store, sweeps, { out: folder, runs });
    });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
