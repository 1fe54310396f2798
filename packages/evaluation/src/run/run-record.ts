/** What is kept of a run beside its configuration and parameters. Plain JSON: see `node/run-folder.ts` for its files. */
import * as v from 'valibot';
import { attendedSchema } from './attended-part.ts';

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

const number = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const numbers = v.array(number);
const metricsOf = <const Entry extends v.GenericSchema>(entry: Entry) =>
  v.object({ hits1: entry, hits5: entry, hits10: entry, mr: entry, mrr: entry });
const split = v.object({ raw: metricsOf(number), filtered: metricsOf(number) });
const summary = metricsOf(v.object({ epochs: v.array(count), mean: number, std: number, values: numbers }));

/** What a line of `metrics.jsonl` has to be. */
export const lineSchema = v.object({
  epoch: count,
  loss: number,
  seconds: number,
  valid: split,
  test: split,
  step: count,
  learningRate: number,
});

/** A line of metrics.jsonl: `seconds` of training and evaluation, of a resumed epoch since it was resumed. */
export type EpochRecord = DeepReadonly<v.InferOutput<typeof lineSchema>>;

/** What is recorded of an epoch beside the time it took. */
export const metricsSchema = v.omit(lineSchema, ['seconds']);

/**
 * What is recorded of an epoch: `epoch` is 1 for the first, `step` counts updates since the beginning, `loss` is the mean
 * over the epoch's batches, weight decay included.
 */
export type EpochMetrics = DeepReadonly<v.InferOutput<typeof metricsSchema>>;

/** What says how far a run has come has to be this. */
export const positionSchema = v.object({ epoch: count, losses: numbers });

/** position.json: epochs completed, and the losses of the batches done in the epoch under way. */
export type Position = DeepReadonly<v.InferOutput<typeof positionSchema>>;

export const environmentsSchema = v.array(
  v.object({
    flowgrad: v.string(),
    node: v.string(),
    platform: v.string(),
    processor: v.string(),
    backend: v.string(),
    /** Threads and instruction set of wasm, the adapter of WebGPU. */
    device: v.string(),
    /** The first step made here: 1 for the first of the run. */
    fromStep: count,
  }),
);

/** What a run was started on: an entry of environment.json. */
export type Environment = DeepReadonly<v.InferOutput<typeof environmentsSchema>[number]>;

export const resultSchema = v.object({
  epochs: count,
  /** Of this dataset's test split; absent where the exact distribution is out of reach. */
  ceiling: v.exactOptional(split),
  /** On the test split, with the parameters of the epoch best on validation by MRR; of models with explicit flow. */
  flow: v.exactOptional(
    v.pipe(
      v.object({ share: numbers, distance: numbers, epoch: count }),
      v.check(({ share, distance }) => share.length === distance.length),
    ),
  ),
  raw: summary,
  filtered: summary,
  seconds: number,
});

/** summary.json */
export type RunResult = DeepReadonly<v.InferOutput<typeof resultSchema>>;

export function attentionSchema(nodeCount: number) {
  const node = v.pipe(count, v.maxValue(nodeCount - 1));
  const pairs = v.array(v.tuple([node, number]));
  return v.object({
    /** The true walk. */
    trajectory: v.pipe(v.array(node), v.minLength(1)),
    /** Pairs of node and score, the ten best, best first. */
    top: pairs,
    /** [T + 1] pairs of node and attention; what is below 1e−4 is left out. Of models with explicit flow. */
    focused: v.exactOptional(v.array(pairs)),
    /** What of it has stopped for good, likewise. Of models that stop. */
    stopped: v.exactOptional(v.array(pairs)),
    source: node,
    /** What was asked, of datasets that ask. */
    query: v.exactOptional(count),
    /** What is drawn of graphs without a map, for a few questions; of models with explicit flow. */
    attended: v.exactOptional(attendedSchema()),
    epoch: count,
  });
}

/** attention.json: where the attention of one test source goes, with the parameters of the epoch best by MRR. */
export type AttentionRecord = DeepReadonly<v.InferOutput<ReturnType<typeof attentionSchema>>>;

/** Where the attention of one question goes: the most attended nodes with their places, and the edges it flows along. */
export type AttendedPart = NonNullable<AttentionRecord['attended']>[number];
