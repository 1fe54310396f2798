import type { RunConfig } from '../run/run-config.ts';
import type { AttentionRecord, Environment, EpochRecord, RunResult } from '../run/run-record.ts';

/** A run as a report sees it: what is in its folder, without parameters. */
export interface ReportRun {
  /** What it is called in the report: the path of its folder below the one that was searched. */
  readonly name: string;
  readonly config: RunConfig;
  readonly epochs: readonly EpochRecord[];
  /** Absent while the run is under way. */
  readonly result?: RunResult;
  readonly attention?: AttentionRecord;
  readonly environments: readonly Environment[];
}

/** All its epochs are there, so its numbers are final. */
export const isTrained = ({ config, epochs }: ReportRun): boolean => epochs.length >= config.epochs;

/** `epoch 10 of 50`. */
export const progressOf = ({ config, epochs }: ReportRun): string =>
  `epoch ${epochs.length} of ${config.epochs}`;
