/** How the cores are used: measured, one single-threaded process per core trains these models fastest. */
import { mostThreads } from '@flowgrad/tensor/node';

export interface ShareOptions {
  readonly cores: number;
  /** Runs that are not done, those under way included. */
  readonly left: number;
  /** What the user wants instead. */
  readonly jobs?: number | undefined;
  readonly threads?: number | undefined;
}

/** As many runs as cores, if there are that many; the cores divided among fewer. */
export function shareCores({ cores, left, jobs, threads }: ShareOptions): readonly number[] {
  const fitting = threads === undefined ? cores : Math.max(1, Math.floor(cores / threads));
  const count = Math.min(left, jobs ?? fitting);
  return Array.from({ length: count }, (_, i) => {
    if (threads !== undefined) return threads;
    const share = Math.floor(cores / count) + (i < cores % count ? 1 : 0);
    return Math.min(Math.max(1, share), mostThreads);
  });
}
