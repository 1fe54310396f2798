/** What the page asks of the training worker, and what that tells by itself. */
import { lineSchema, metricsSchema, positionSchema } from '@flowgrad/evaluation';
import type { EpochMetrics, EpochRecord, Position, RunConfig, RunSettings } from '@flowgrad/evaluation';
import { fieldSchema, listOf, record, required, valueOf } from '@flowgrad/schema';
import type { Fields } from '@flowgrad/schema';
import * as v from 'valibot';
import type { InferOutput } from 'valibot';
import { dataFilesSchema } from '../data/data-files.ts';
import { nothing } from './channel.ts';
import type { AnswersOf, Protocol } from './channel.ts';

export const deviceFields = {
  device: {
    kind: 'choice',
    choices: ['auto', 'webgpu', 'wasm'],
    labels: ['automatic', 'WebGPU', 'WebAssembly'],
    default: 'auto',
    about: 'automatic is WebGPU where there is a GPU, else WebAssembly',
  },
  simd: {
    kind: 'choice',
    choices: ['auto', 'plain', 'relaxed'],
    labels: ['fastest', 'plain: same bits everywhere', 'relaxed'],
    default: 'auto',
    label: 'SIMD',
    about: 'of WebAssembly; plain gives the same bits on every engine',
  },
  threads: {
    kind: 'integer',
    least: 0,
    most: 64,
    default: 0,
    about: 'of WebAssembly; 0 is one for each core',
  },
} as const satisfies Fields;

export const deviceSchema = record(required(deviceFields));
export type DeviceSettings = InferOutput<typeof deviceSchema>;

/** Runs are trained alone, or two side by side. */
const mostRuns = 2;
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const everyOne = (test: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(test);
const text = valueOf<string>('to be text', (value) => typeof value === 'string');
const count = fieldSchema({ kind: 'integer', about: 'how many, or which' });
const amount = fieldSchema({ kind: 'number', about: 'how much' });
const bytes = valueOf<Uint8Array<ArrayBuffer>>('to be bytes', (value) => value instanceof Uint8Array);
const isFloats = (value: unknown): boolean => value instanceof Float32Array;
const rows = valueOf<readonly Float32Array[]>('to be rows of floats', everyOne(isFloats));
const epochRecords = valueOf<readonly EpochRecord[]>(
  'to be records of epochs',
  everyOne((each) => v.is(lineSchema, each)),
);
const snapshots = listOf(record({ epoch: count, parameters: bytes }), Infinity, 0);
const position = valueOf<Position>('to be a position', (value) => v.is(positionSchema, value));

const deviceDescription = record({
  backend: fieldSchema({ kind: 'choice', choices: ['webgpu', 'wasm'], about: 'the backend' }),
  /** For people: the adapter, or threads and instruction set. */
  details: text,
  /** Why it is not the one that was asked for. */
  note: v.exactOptional(text),
});
export type DeviceDescription = InferOutput<typeof deviceDescription>;

/** All of a run: where it is, and what is kept of its epochs. */
const savedRun = record({ parameters: bytes, adam: bytes, position, epochs: epochRecords, snapshots });
export type SavedRun = InferOutput<typeof savedRun>;

/** A run to go on with: with all its state, or as parameters alone. */
const storedRun = record({
  parameters: bytes,
  adam: v.exactOptional(bytes),
  position: v.exactOptional(position),
  epochs: v.exactOptional(epochRecords),
  snapshots: v.exactOptional(snapshots),
});
export type StoredRun = InferOutput<typeof storedRun>;

const runRequest = record({
  /** `resolveRun` looks at them. */
  settings: valueOf<RunSettings>('to be the settings of a run', isObject),
  /** Where to start from; from the beginning unless given. */
  stored: v.exactOptional(storedRun),
});
export type RunRequest = InferOutput<typeof runRequest>;

const preparedRun = record({
  config: valueOf<RunConfig>('to be the settings of a run', isObject),
  stepsPerEpoch: count,
  /** Updates made so far. */
  step: count,
  parameterCount: count,
  /** Models without explicit flow have no attention to watch. */
  hasFlow: fieldSchema({ kind: 'switch', about: 'whether attention flows' }),
  /** What cannot be learnt of the data, in sentences; none if all is well. */
  warnings: listOf(text, Infinity, 0),
});
export type PreparedRun = InferOutput<typeof preparedRun>;

/** What a model makes of a source. */
const watched = record({
  /** The step after which it was computed. */
  step: count,
  /** [nodes] of the destinations. */
  probabilities: valueOf<Float32Array>('to be floats', isFloats),
  /** [T + 1][nodes] focused attention, of models with explicit flow. */
  focused: v.exactOptional(rows),
  /** [T + 1][nodes] what of it has stopped for good, of models that stop. */
  stopped: v.exactOptional(rows),
  /** [T][edges] flowing attention, by the edges of the graph with self-loops. */
  flowing: v.exactOptional(rows),
});
export type Watched = InferOutput<typeof watched>;

/** Lists have an entry for each run, in the order in which they were given. */
export const trainingProtocol = {
  /** Opens the device, if it is not open, and starts runs on it; those of before are gone. */
  prepare: {
    takes: record({
      device: deviceSchema,
      runs: listOf(runRequest, mostRuns),
      /** Of the dataset that the runs are on, where it is no grid world. */
      files: v.exactOptional(dataFilesSchema),
    }),
    gives: record({ device: deviceDescription, runs: listOf(preparedRun, mostRuns) }),
  },
  /** Trains until paused or done; answered at once. */
  train: { takes: record({}), gives: nothing },
  /** Answered when the step under way has ended. */
  pause: { takes: record({}), gives: nothing },
  /** Trains each run by one step. */
  step: { takes: record({}), gives: nothing },
  predict: {
    takes: record({ source: count, query: v.exactOptional(count) }),
    gives: listOf(watched, mostRuns, 0),
  },
  /** With the metrics of its last epoch, even if they are still to be computed. */
  save: { takes: record({ run: count }), gives: savedRun },
} satisfies Protocol;
export type TrainingCalls = AnswersOf<typeof trainingProtocol>;

/** Of one run, since it was told last. */
const runProgress = record({
  /** Steps made and their losses, by step. */
  steps: valueOf<readonly (readonly [step: number, loss: number])[]>(
    'to be steps and losses',
    everyOne((each) => everyOne(Number.isFinite)(each)),
  ),
  epochs: valueOf<readonly EpochMetrics[]>(
    'to be metrics of epochs',
    everyOne((each) => v.is(metricsSchema, each)),
  ),
});
export type RunProgress = InferOutput<typeof runProgress>;

export const newsSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('progress'),
    runs: listOf(runProgress, mostRuns),
    stepsPerSecond: amount,
    /** Device memory that is held, in bytes. */
    memory: amount,
  }),
  v.strictObject({ kind: v.literal('ended'), reason: v.picklist(['paused', 'done']) }),
  v.strictObject({ kind: v.literal('failed'), message: text }),
  /** The device was lost, another was opened, and training goes on from the steps given. */
  v.strictObject({
    kind: v.literal('recovered'),
    reason: text,
    device: deviceDescription,
    steps: listOf(count, mostRuns),
  }),
]);
export type TrainingNews = InferOutput<typeof newsSchema>;
