/** Runs, their files and trainings that end when a test says so. */
import { resolveRun } from '@flowgrad/evaluation';
import type { RunConfig } from '@flowgrad/evaluation';
import { writeRunFiles } from '@flowgrad/evaluation/node';
import type { RunEvent } from '@flowgrad/evaluation/node';
import type { Training, TrainingEnd } from '../worker/train-attempt.ts';

export const grid = (seeds: number, epochs = 3): RunConfig[] =>
  Array.from({ length: seeds }, (_, i) =>
    resolveRun({ group: 'SINE-SZ6-STP4-NDRP-STD0.2', model: 'RW-Stationary', seed: i + 1, epochs }),
  );

export interface Pretended {
  readonly start: (onEvent: (event: RunEvent) => void) => Training;
  /** Settles when it was started. */
  readonly started: Promise<void>;
  /** Writes files as a checkpoint does, and tells. */
  checkpoint(files: Readonly<Record<string, string>>): Promise<void>;
  end(how: TrainingEnd): void;
  readonly isStopped: boolean;
}

/** A training in a folder. Stopped, it ends so. */
export function pretended(folder: string): Pretended {
  let tell: (event: RunEvent) => void = () => undefined;
  let isStopped = false;
  let end: (how: TrainingEnd) => void = () => undefined;
  let begin: () => void = () => undefined;
  const ended = new Promise<TrainingEnd>((resolve) => (end = resolve));
  const started = new Promise<void>((resolve) => (begin = resolve));
  return {
    start: (onEvent) => {
      tell = onEvent;
      begin();
      const stop = (): void => {
        isStopped = true;
        end({ kind: 'stopped' });
      };
      return { stop, ended };
    },
    started,
    checkpoint: async (files) => {
      await writeRunFiles(folder, files);
      tell({ kind: 'checkpoint', step: 1 });
    },
    end: (how) => end(how),
    get isStopped() {
      return isStopped;
    },
  };
}
