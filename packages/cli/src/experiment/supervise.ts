/** Keeps the cores busy with runs until none is left or it is told to stop. */
import type { RunConfig } from '@flowgrad/evaluation';
import type { RunEvent } from '@flowgrad/evaluation/node';
import type { RunEnd, RunProcess } from './run-process.ts';
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

export type SupervisorEvent =
  | { readonly kind: 'started' | 'done' | 'stopped'; readonly run: PlannedRun; readonly threads: number }
  | { readonly kind: 'failed'; readonly run: PlannedRun; readonly reason: string }
  | { readonly kind: 'progress'; readonly active: readonly ActiveRun[]; readonly waiting: number };

export interface SupervisorOptions {
  readonly cores: number;
  readonly jobs?: number | undefined;
  readonly threads?: number | undefined;
  readonly signal: AbortSignal;
  readonly start: (run: PlannedRun, threads: number, onEvent: (event: RunEvent) => void) => RunProcess;
  readonly onEvent: (event: SupervisorEvent) => void;
  /** A run that needs less than this many seconds more is not worth starting again with more threads. */
  readonly worthWidening?: number;
}

export interface Outcome {
  readonly done: readonly PlannedRun[];
  readonly failed: readonly { readonly run: PlannedRun; readonly reason: string }[];
  /** Not done when it was told to stop. */
  readonly left: readonly PlannedRun[];
}

interface Slot {
  active: ActiveRun;
  readonly process: RunProcess;
  isWidening: boolean;
}

export async function supervise(runs: readonly PlannedRun[], options: SupervisorOptions): Promise<Outcome> {
  const { cores, jobs, threads, signal, start, onEvent, worthWidening = 30 } = options;
  const waiting = [...runs];
  const slots = new Set<Slot>();
  const done: PlannedRun[] = [];
  const failed: { run: PlannedRun; reason: string }[] = [];
  const isFree = jobs === undefined && threads === undefined;
  const tell = (): void =>
    onEvent({ kind: 'progress', active: Array.from(slots, ({ active }) => active), waiting: waiting.length });

  const sharesNow = (): readonly number[] =>
    shareCores({ cores, left: waiting.length + slots.size, jobs, threads });

  const launch = (run: PlannedRun, share: number): Promise<void> => {
    const process = start(run, share, (event) => {
      slot.active = advanced(slot.active, event);
      tell();
    });
    const active = { ...run, threads: share, step: NaN, fromStep: NaN, steps: NaN, since: NaN };
    const slot: Slot = { active, process, isWidening: false };
    slots.add(slot);
    onEvent({ kind: 'started', run, threads: share });
    return process.ended.then((end) => settle(slot, run, end));
  };

  const settle = (slot: Slot, run: PlannedRun, end: RunEnd): void => {
    slots.delete(slot);
    if (end.kind === 'done') done.push(run);
    else if (end.kind === 'failed') failed.push({ run, reason: end.reason });
    else waiting.unshift(run);
    if (end.kind === 'failed') onEvent({ kind: 'failed', run, reason: end.reason });
    else if (!slot.isWidening || end.kind === 'done')
      onEvent({ kind: end.kind, run, threads: slot.active.threads });
    tell();
  };

  /** The last runs get the cores that have become free: they are stopped, and resumed with more threads. */
  const widen = (): void => {
    if (!isFree || waiting.length > 0) return;
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
  const underWay = new Set<Promise<void>>();
  for (;;) {
    const shares = sharesNow();
    while (!signal.aborted && slots.size < shares.length && waiting.length > 0) {
      const ended = launch(waiting.shift()!, shares[slots.size]);
      underWay.add(ended);
      void ended.then(() => underWay.delete(ended));
    }
    if (underWay.size === 0) break;
    await Promise.race(underWay);
    if (!signal.aborted) widen();
  }
  signal.removeEventListener('abort', stopAll);
  return { done, failed, left: waiting };
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
