/** A worker: takes runs from a store and trains them, each in a process of its own. */
import { mkdir, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Attempt, AttemptOutcome, Store } from '@flowgrad/sweeps';
import { openBackend } from '@flowgrad/tensor/node';
import type { Context } from '../command.ts';
import { startRun } from '../experiment/run-process.ts';
import type { RunProcessOptions } from '../experiment/run-process.ts';
import { supervise } from '../experiment/supervise.ts';
import type { PlannedRun, RunSource, Supervised, SupervisorEvent } from '../experiment/supervise.ts';
import { loadedModules } from '../runs/own-models.ts';
import type { Sweeps } from './open-store.ts';

export interface WorkOptions {
  readonly device: 'webgpu' | 'wasm';
  readonly jobs: number | undefined;
  readonly threads: number | undefined;
  readonly anyDevice: boolean;
  readonly sweep: string | undefined;
  /** Wait for more when everything is done. */
  readonly stays: boolean;
  readonly tries: number;
  /** Where a run is trained and kept, by its id; unless given, it is trained in a folder that is removed, and kept in the store. */
  readonly kept?: (run: string) => Pick<RunProcessOptions, 'folder' | 'data'>;
  readonly env: Context['env'];
  readonly signal: AbortSignal;
  readonly onEvent: (event: SupervisorEvent) => void;
  readonly onTrouble: (text: string) => void;
}

/** Between looks at the store: while all slots are taken, and from the first to the last while one is free. */
const pollSeconds = { busy: 30, first: 0.5, last: 5 };
const idlePause = (pause: number): number =>
  pause === pollSeconds.busy ? pollSeconds.first : Math.min(pollSeconds.last, 2 * pause);

interface TakenRun extends PlannedRun, Pick<RunProcessOptions, 'data'> {
  readonly attempt: Attempt;
}

/** How a worker ended: what it did, and why it cannot go on, if it cannot. */
export interface WorkOutcome {
  readonly done: number;
  readonly failed: readonly { readonly run: PlannedRun; readonly reason: string }[];
  readonly unable?: string;
}

export async function work(store: Store, sweeps: Sweeps, options: WorkOptions): Promise<WorkOutcome> {
  const { device, jobs, threads, anyDevice, sweep, stays, tries, kept, env, onEvent, onTrouble } = options;
  const arithmetic = await arithmeticHere(sweeps, device);
  const taker = {
    worker: sweeps.thisWorker(),
    arithmetic,
    anyDevice,
    ...(sweep !== undefined && { sweep }),
  };
  const models = loadedModules();
  const scratch = kept ? undefined : await scratchFolder();
  const halt = new AbortController();
  const signal = AbortSignal.any([options.signal, halt.signal]);
  let taken = 0;
  let pause = pollSeconds.first;
  let unable: string | undefined;
  let { waiting } = await sweeps.onceReachable(() => sweeps.leftOf(store, sweep), { signal, onTrouble });

  /** What the store cannot do now it can perhaps do later; anything else is an error. */
  const patiently = async <T>(what: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await what();
    } catch (error) {
      if (!sweeps.isUnreachable(error) && !sweeps.isFull(error)) throw error;
      onTrouble((error as Error).message);
      return otherwise;
    }
  };
  const placeOf = kept ?? (() => ({ folder: join(scratch ?? '', String(taken)) }));
  const next = async (): Promise<TakenRun | undefined> => {
    const attempt = await patiently(() => sweeps.takeRun(store, taker), undefined);
    // Those that wait may be for others.
    waiting = attempt ? Math.max(0, waiting - 1) : 0;
    pause = attempt ? pollSeconds.busy : idlePause(pause);
    taken += 1;
    return attempt && { attempt, config: attempt.config, ...placeOf(attempt.run) };
  };
  let wake = new AbortController();
  const more = async (stop: AbortSignal): Promise<boolean> => {
    const until = AbortSignal.any([stop, wake.signal]);
    await wait(1000 * pause * (0.75 + Math.random() / 2), undefined, { signal: until }).catch(
      () => undefined,
    );
    if (wake.signal.aborted) wake = new AbortController();
    const left = await patiently(() => sweeps.leftOf(store, sweep), undefined);
    waiting = left?.waiting ?? 0;
    if (waiting === 0) pause = idlePause(pause);
    return stays || !left || left.waiting + left.running > 0;
  };
  const source: RunSource<TakenRun> = {
    get waiting() {
      return waiting;
    },
    next,
    giveBack: () => void (waiting += 1),
    more,
  };
  const start = ({ attempt, ...run }: TakenRun, share: number, tell: Tell): Supervised => {
    const { stop, ended } = sweeps.trainAttempt(store, attempt, {
      folder: run.folder,
      keepsFolder: kept !== undefined,
      arithmetic,
      tries,
      start: (hear) => startRun({ ...run, models, device, threads: share, env, onEvent: hear }),
      onEvent: tell,
      onTrouble,
    });
    return { stop, ended: ended.then(settled) };
  };
  const settled = (outcome: AttemptOutcome): Awaited<Supervised['ended']> => {
    // Perhaps it was the last: nobody waits for the next look.
    wake.abort();
    if (outcome.kind !== 'unable') return outcome;
    unable = outcome.reason;
    halt.abort();
    return { kind: 'stopped' };
  };
  try {
    const cores = availableParallelism();
    // Processes would only get in each other's way on one GPU.
    const slots = jobs ?? (device === 'webgpu' ? 1 : undefined);
    const { done, failed } = await supervise(source, {
      ...{ cores, jobs: slots, threads, signal, start, onEvent },
    });
    return { done: done.length, failed, ...(unable !== undefined && { unable }) };
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

type Tell = Parameters<Parameters<typeof supervise>[1]['start']>[2];

async function arithmeticHere({ arithmeticOf }: Sweeps, device: 'webgpu' | 'wasm'): Promise<string> {
  const backend = await openBackend({ device, ...(device === 'wasm' && { threads: 1 }) });
  try {
    return await arithmeticOf(backend);
  } finally {
    await backend.close();
  }
}

/** A folder for the runs under way. Those of workers that are gone are removed, as far as this one can tell. */
async function scratchFolder(): Promise<string> {
  const root = join(tmpdir(), `flowgrad-work-${process.getuid?.() ?? 'user'}`);
  await mkdir(root, { recursive: true, mode: 0o700 });
  // A process number says something within one namespace only: containers may share this folder.
  const namespace = await readlink('/proc/self/ns/pid').catch(() => 'pid');
  const ours = `${namespace.replaceAll(/\W/g, '')}-`;
  for (const name of (await readdir(root)).filter((each) => each.startsWith(ours))) {
    const pid = Number.parseInt(name.slice(ours.length), 10);
    if (!isAlive(pid)) await rm(join(root, name), { recursive: true, force: true });
  }
  return mkdtemp(join(root, `${ours}${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is there all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
