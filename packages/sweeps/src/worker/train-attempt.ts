/** One attempt at a run: brought here from the store, trained in a process of its own, and saved as it goes. */
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig, readRunFiles, writeRunFiles } from '@flowgrad/evaluation/node';
import type { RunEvent } from '@flowgrad/evaluation/node';
import { AttemptLostError, beat } from '../store/attempt.ts';
import type { Attempt, AttemptEnd, Progress } from '../store/attempt.ts';
import { codeOf, isFull, isUnreachable } from '../store/database.ts';
import { readStoredFiles, saveRun, storedChecksums } from '../store/files.ts';
import type { Store } from '../store/store.ts';

/** A training process, as whoever starts it sees it. */
export interface Training {
  /** Asks it to write a checkpoint and end. */
  stop(this: void): void;
  readonly ended: Promise<TrainingEnd>;
}

/** How a training process ended. */
export type TrainingEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly reason: string };

/** How an attempt ended: beside the ends of its process, the run may have gone to another, or this machine be unable to train. */
export type AttemptOutcome =
  TrainingEnd | { readonly kind: 'lost' } | { readonly kind: 'unable'; readonly reason: string };

/** How an attempt is trained. */
export interface TrainAttemptOptions {
  readonly folder: string;
  /** Whether the folder is a user's own, in which a run goes on from what is there and which keeps its files; else the store keeps them, and the folder is removed. */
  readonly keepsFolder?: boolean;
  readonly arithmetic: string;
  /** Failures after which a run is set aside. */
  readonly tries: number;
  readonly start: (onEvent: (event: RunEvent) => void) => Training;
  readonly onEvent?: (event: RunEvent) => void;
  /** Hears of trouble with the store that passes by itself. */
  readonly onTrouble?: (text: string) => void;
}

/** The attempt under way. */
export interface AttemptUnderWay {
  stop(this: void): void;
  readonly ended: Promise<AttemptOutcome>;
}

/**
 * Saving takes a thirtieth of the time at most, for it takes the cores from the training: epochs shorter than thirty times a save, or
 * than this many seconds, are saved together.
 */
const saveSeconds = 1;
const shareOfSaving = 1 / 30;
const unreachableSeconds = 2;
/** How long a folder is waited for in which somebody trains: what a killed worker left behind writes a checkpoint and ends. */
const lockedSeconds = 30;
const noFiles = { files: {}, contents: {} };
/** How long the end of a run is kept for a store that is out of reach, once the worker was told to stop. */
const patienceAtStop = 10;

/** Begins an attempt. Whatever goes wrong is an outcome: `ended` does not reject. */
export function trainAttempt(store: Store, attempt: Attempt, options: TrainAttemptOptions): AttemptUnderWay {
  const { folder, keepsFolder = false, arithmetic, tries, onTrouble } = options;
  const over = new AbortController();
  let training: Training | undefined;
  let isStopping = false;
  let isLost = false;
  let isChanged = false;
  let progress: Progress = {};
  let known: ReadonlyMap<string, string> = new Map();
  const stop = (): void => {
    isStopping = true;
    training?.stop();
  };

  /** False if the attempt is lost, or the store out of reach or full, which may pass. */
  const tried = async (what: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof AttemptLostError) {
        isLost = true;
        training?.stop();
      } else if (isUnreachable(error) || isFull(error)) onTrouble?.(`${what}: ${(error as Error).message}`);
      else throw error;
      return false;
    }
  };

  const save = async (end?: AttemptEnd): Promise<void> => {
    const files = keepsFolder ? noFiles : await readRunFiles(folder, known);
    await saveRun(store, attempt, { files, progress, arithmetic, ...(end && { end }) });
    if (files) known = new Map(Object.entries(files.files).map(([path, { sha256 }]) => [path, sha256]));
  };

  /** Saves what is new, and lets the store hear of this worker in between. */
  const keepUp = async (): Promise<void> => {
    let heard = performance.now();
    let nextSave = 0;
    while (!over.signal.aborted && !isLost) {
      await wait(1000 * saveSeconds, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      const isTime = performance.now() - heard > 1000 * beatSeconds(store);
      if (isChanged && performance.now() >= nextSave) {
        const began = performance.now();
        isChanged = false;
        isChanged = !(await tried('saving a run', () => save()));
        nextSave = performance.now() + (performance.now() - began) / shareOfSaving;
      } else if (isTime) await tried('heartbeat', () => beat(store, attempt, progress));
      else continue;
      heard = performance.now();
    }
  };

  const hear = (event: RunEvent): void => {
    if (event.kind === 'start') {
      const { backend: device, step, steps } = event;
      progress = { ...progress, device, step, steps, fromStep: step };
    } else if (event.kind === 'step') progress = { ...progress, step: event.step };
    else if (event.kind === 'epoch') progress = { ...progress, epoch: event.record.epoch };
    else if (event.kind === 'checkpoint') isChanged = true;
    options.onEvent?.(event);
  };

  const bring = async (): Promise<void> => {
    if (!keepsFolder) await rm(folder, { recursive: true, force: true });
    if (!keepsFolder || !(await readConfig(folder))) {
      const files = await readStoredFiles(store, attempt.run);
      if (Object.keys(files).length > 0) await writeRunFiles(folder, files);
    }
    known = await storedChecksums(store, attempt.run);
  };

  /** The end is told until the store has it, or the run is another's. */
  const finish = async (end: AttemptEnd, files: boolean): Promise<void> => {
    const tell = (): Promise<void> =>
      files ? save(end) : saveRun(store, attempt, { progress, arithmetic, end });
    for (const since = performance.now(); ; await wait(1000 * unreachableSeconds)) {
      const isLate = isStopping && performance.now() - since > 1000 * patienceAtStop;
      if ((await tried('saving the end of a run', tell)) || isLost || isLate) return;
    }
  };

  const train = async (): Promise<TrainingEnd> => {
    const again = (): Promise<void> => wait(1000 * unreachableSeconds);
    while (!isStopping && !isLost && !(await tried('bringing a run', bring))) await again();
    if (isStopping || isLost) return { kind: 'stopped' };
    for (const since = performance.now(); ; await again()) {
      training = options.start(hear);
      const end = await training.ended;
      const isLocked = end.kind === 'failed' && / locked by process /.test(end.reason);
      const isLate = isStopping || isLost || performance.now() - since > 1000 * lockedSeconds;
      if (!isLocked || isLate) return end;
    }
  };

  const whole = async (): Promise<AttemptOutcome> => {
    const keepingUp = keepUp();
    // What goes wrong in it ends the training, and is the reason below.
    keepingUp.catch(() => training?.stop());
    let end: TrainingEnd;
    let isReadable = true;
    try {
      end = await train();
      over.abort();
      await keepingUp;
    } catch (error) {
      over.abort();
      training?.stop();
      await training?.ended;
      isReadable = false;
      const code = codeOf(error);
      end = {
        kind: 'failed',
        reason: `${(error as Error).message}${code === undefined ? '' : ` (${code})`}`,
      };
    }
    if (isLost) return { kind: 'lost' };
    const isUnable = end.kind === 'failed' && isFullDisk(end.reason);
    const told: AttemptEnd =
      end.kind === 'failed' && !isUnable
        ? { ...end, tries }
        : { kind: end.kind === 'done' ? 'done' : 'released' };
    await finish(told, isReadable && !isUnable);
    if (isLost) return { kind: 'lost' };
    return isUnable ? { kind: 'unable', reason: (end as { reason: string }).reason } : end;
  };

  const ended = whole()
    .catch((error: unknown): AttemptOutcome => ({ kind: 'failed', reason: (error as Error).message }))
    .finally(() =>
      keepsFolder ? undefined : rm(folder, { recursive: true, force: true }).catch(() => undefined),
    );
  return { stop, ended };
}

/** Four beats fit into the silence after which an attempt counts as lost; people see them in the status. */
const beatSeconds = ({ heartbeatSeconds }: Store): number => Math.min(15, heartbeatSeconds / 4);

const isFullDisk = (text: string): boolean => /\b(ENOSPC|EDQUOT)\b/.test(text);
