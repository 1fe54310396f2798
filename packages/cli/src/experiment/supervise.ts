/** Keeps the cores busy with runs until none is left or it is told to stop. */
import type { RunConfig } from '@flowgrad/evaluation';
import type { RunEvent } from '@flowgrad/evaluation/node';
import type { RunEnd } from './run-process.ts';
import { shareCores } from './share-cores.ts';

export interface PlannedRun {
  readonly config: RunConfig;
  readonly folder: string;
}

/** A run under way. */
export interface ActiveRun extends PlannedRun {
  readonly threads: number;
  /** Updates made, now and when the process started; NaN until it tells. */
  readonly step: number;
  readonly fromStep: number;
  readonly steps: number;
  /** Milliseconds, when its first step was about to be made. */
  readonly since: number;
}

/** What trains a run. */
export interface Supervised {
  /** Asks it to write a checkpoint and end. */
  stop(this: void): void;
  /** 'lost': another worker of the sweep has the run now. */
  readonly ended: Promise<RunEnd | { readonly kind: 'lost' }>;
}

export type SupervisorEvent =
  | {
      readonly kind: 'started' | 'done' | 'stopped' | 'lost';
      readonly run: PlannedRun;
      readonly threads: number;
    }
  | { readonly kind: 'failed'; readonly run: PlannedRun; readonly reason: string }
  | { readonly kind: 'progress'; readonly active: readonly ActiveRun[]; readonly waiting: number };

export interface SupervisorOptions<Run extends PlannedRun = PlannedRun> {
  readonly cores: number;
  readonly jobs?: number | undefined;
  readonly threads?: number | undefined;
  readonly signal: AbortSignal;
  readonly start: (run: Run, threads: number, onEvent: (event: RunEvent) => void) => Supervised;
  readonly onEvent: (event: SupervisorEvent) => void;
  /** A run that needs less than this many seconds more is not worth starting again with more threads. */
  readonly worthWidening?: number;
}

/** Where runs come from, one after the other. */
export interface RunSource<Run extends PlannedRun> {
  /** How many wait, as far as is known. */
  readonly waiting: number;
  /** Nothing if there is none now. */
  next(this: void): Promise<Run | undefined>;
  /** Of a run that was stopped before its end. */
  giveBack(this: void, run: Run): void;
  /** Settles when there may be a run again, with false if there never will. */
  more(this: void, signal: AbortSignal): Promise<boolean>;
}

export interface Outcome {
  readonly done: readonly PlannedRun[];
  readonly failed: readonly { readonly run: PlannedRun; readonly reason: string }[];
}

interface Slot<Run> {
  active: ActiveRun;
  readonly run: Run;
  readonly process: Supervised;
  isWidening: boolean;
}

/** Trains what a source gives until there is nothing more. */
export async function supervise<Run extends PlannedRun>(
  source: RunSource<Run>,
  options: SupervisorOptions<Run>,
): Promise<Outcome> {
  const { cores, jobs, threads, signal, start, onEvent, worthWidening = 30 } = options;
  const slots = new Set<Slot<Run>>();
  const done: PlannedRun[] = [];
  const failed: { run: PlannedRun; reason: string }[] = [];
  const isFree = jobs === undefined && threads === undefined;
  const tell = (): void =>
    onEvent({ kind: 'progress', active: Array.from(slots, ({ active }) => active), waiting: source.waiting });

  const sharesNow = (): readonly number[] =>
    shareCores({ cores, left: source.waiting + slots.size, jobs, threads });

  const launch = (run: Run, share: number): Promise<void> => {
    const process = start(run, share, (event) => {
      slot.active = advanced(slot.active, event);
      tell();
    });
    const active = { ...run, threads: share, step: NaN, fromStep: NaN, steps: NaN, since: NaN };
    const slot: Slot<Run> = { active, run, process, isWidening: false };
    slots.add(slot);
    onEvent({ kind: 'started', run, threads: share });
    return process.ended.then((end) => settle(slot, end));
  };

  const settle = (slot: Slot<Run>, end: Awaited<Supervised['ended']>): void => {
    const { run } = slot;
    slots.delete(slot);
    if (end.kind === 'done') done.push(run);
    else if (end.kind === 'failed') failed.push({ run, reason: end.reason });
    else if (end.kind === 'stopped') source.giveBack(run);
    if (end.kind === 'failed') onEvent({ kind: 'failed', run, reason: end.reason });
    else if (!slot.isWidening || end.kind !== 'stopped')
      onEvent({ kind: end.kind, run, threads: slot.active.threads });
    tell();
  };

  /** The last runs get the cores that have become free: they are stopped, and resumed with more threads. */
  const widen = (): void => {
    if (!isFree || source.waiting > 0) return;
    const least = sharesNow().at(-1) ?? 1;
    for (const slot of slots) {
      if (slot.isWidening || slot.active.threads >= least) continue;
      // Before the first step it is NaN, and not more than anything.
      if (!(secondsLeft(slot.active) > worthWidening)) continue;
      slot.isWidening = true;
      slot.process.stop();
    }
  };

  const stopAll = (): void => {
    for (const { process } of slots) process.stop();
  };
  signal.addEventListener('abort', stopAll);
  const underWay = new Set<Promise<unknown>>();
  let more: Promise<boolean> | undefined;
  let isMore = true;
  try {
    for (;;) {
      for (let shares = sharesNow(); !signal.aborted && slots.size < shares.length; shares = sharesNow()) {
        const run = await source.next();
        if (!run) break;
        const ended = launch(run, shares[slots.size]);
        underWay.add(ended);
        void ended.then(() => underWay.delete(ended));
        if (signal.aborted) stopAll();
      }
      if (!more && isMore && !signal.aborted) {
        more = source.more(signal).then((is) => {
          [more, isMore] = [undefined, is];
          return is;
        });
      }
      if (underWay.size === 0 && !more) return { done, failed };
      await Promise.race([...underWay, ...(more ? [more] : [])]);
      if (!signal.aborted) widen();
    }
  } finally {
    // Where the source failed there are runs under way.
    stopAll();
    await Promise.allSettled(underWay);
    signal.removeEventListener('abort', stopAll);
  }
}

function advanced(active: ActiveRun, event: RunEvent): ActiveRun {
  if (event.kind === 'start') {
    const { step, steps } = event;
    return { ...active, step, fromStep: step, steps, since: performance.now() };
  }
  return event.kind === 'step' ? { ...active, step: event.step } : active;
}

/** NaN before the first step. */
export function secondsLeft({ step, fromStep, steps, since }: ActiveRun): number {
  const elapsed = (performance.now() - since) / 1000;
  return (elapsed / (step - fromStep)) * (steps - step);
}
