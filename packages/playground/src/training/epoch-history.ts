/** What is kept of a run's epochs: their metrics, and the parameters of those that are best for some metric. */
import { epochsToKeep } from '@flowgrad/evaluation';
import type { EpochMetrics, EpochRecord, RankingName, Snapshot } from '@flowgrad/evaluation';

interface Epochs {
  readonly epochs: readonly EpochRecord[];
  readonly snapshots: readonly Snapshot[];
}

export interface EpochHistory {
  /** Counts how long the work takes to the epoch under way. */
  timed<T>(this: void, work: () => Promise<T>): Promise<T>;
  add(this: void, metrics: EpochMetrics, parameters: Snapshot['parameters']): void;
  now(this: void): Epochs;
}

/** `ranking` is that by which epochs are best: see `rankingOf`. */
export function createEpochHistory(
  { epochs = [], snapshots = [] }: Partial<Epochs> = {},
  ranking: RankingName = 'raw',
): EpochHistory {
  let known: Epochs = { epochs, snapshots };
  let milliseconds = 0;
  return {
    timed: async (work) => {
      const before = performance.now();
      try {
        return await work();
      } finally {
        milliseconds += performance.now() - before;
      }
    },
    add: (metrics, parameters) => {
      const records = [...known.epochs, { ...metrics, seconds: milliseconds / 1000 }];
      const keep = epochsToKeep(records, ranking);
      const all = [...known.snapshots, { epoch: metrics.epoch, parameters }];
      known = { epochs: records, snapshots: all.filter(({ epoch }) => keep.has(epoch)) };
      milliseconds = 0;
    },
    now: () => known,
  };
}
