/** What is kept of a run beside its configuration and parameters. Plain JSON: see `node/run-folder.ts` for its files. */
import type { RawAndFiltered } from '@flowgrad/gridworld';
import type { RunSummary } from '../metrics/best-epochs.ts';
import type { FlowMetrics } from '../metrics/flow-metrics.ts';
export type { EpochRecord } from './check-record.ts';

/** What a run was started on. */
export interface Environment {
  readonly flowgrad: string;
  readonly node: string;
  readonly platform: string;
  readonly processor: string;
  readonly backend: string;
  /** Threads and instruction set of wasm, the adapter of WebGPU. */
  readonly device: string;
  /** The first step made here: 1 for the first of the run. */
  readonly fromStep: number;
}

/** summary.json */
export interface RunResult {
  readonly epochs: number;
  readonly seconds: number;
  readonly raw: RunSummary;
  readonly filtered: RunSummary;
  /** Of this dataset's test split; absent where the exact distribution is out of reach. */
  readonly ceiling?: RawAndFiltered;
  /** On the test split, with the parameters of the epoch best on validation by MRR; of models with explicit flow. */
  readonly flow?: FlowMetrics & { readonly epoch: number };
}

/** attention.json: where the attention of one test source goes, with the same parameters. */
export interface AttentionRecord {
  readonly epoch: number;
  readonly source: number;
  /** The true walk. */
  readonly trajectory: readonly number[];
  /** [T + 1] pairs of node and attention; what is below 1e−4 is left out. Of models with explicit flow. */
  readonly focused?: readonly (readonly [node: number, attention: number])[][];
  /** Pairs of node and score, the ten best, best first. */
  readonly top: readonly (readonly [node: number, score: number])[];
}
