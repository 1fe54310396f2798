/** What a learning rate is. */
import { expectNumber } from '../options.ts';

/** How far training has come, as a schedule is told. */
export interface Progress {
  /** 1 for the first update. */
  readonly step: number;
  /** As the caller gave it to `apply`, 0 for the first pass over the data. */
  readonly epoch: number | undefined;
}

/** The learning rate of an update. */
export type Schedule = (progress: Progress) => number;

/** Raises unless `rate` can be a learning rate. */
export function expectRate(where: string, name: string, rate: number): void {
  expectNumber(where, name, rate, 'a finite number ≥ 0', Number.isFinite(rate) && rate >= 0);
}
