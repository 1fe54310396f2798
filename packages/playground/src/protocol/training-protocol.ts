/** What the page asks of the training worker, and what that tells by itself. */
import type {
  Checkpoint,
  EpochMetrics,
  EpochRecord,
  RunConfig,
  RunSettings,
  Snapshot,
} from '@flowgrad/evaluation';
import { record, required } from '@flowgrad/schema';
import type { Fields } from '@flowgrad/schema';
import type { InferOutput } from 'valibot';

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

export interface DeviceDescription {
  readonly backend: 'webgpu' | 'wasm';
  /** For people: the adapter, or threads and instruction set. */
  readonly details: string;
  /** Why it is not the one that was asked for. */
  readonly note?: string;
}

/** All of a run: where it is, and what is kept of its epochs. */
export interface SavedRun extends Checkpoint {
  readonly epochs: readonly EpochRecord[];
  readonly snapshots: readonly Snapshot[];
}

/** A run to go on with: with all its state, or as parameters alone. */
export type StoredRun = Pick<SavedRun, 'parameters'> & Partial<SavedRun>;

export interface RunRequest {
  readonly settings: RunSettings;
  /** Where to start from; from the beginning unless given. */
  readonly stored?: StoredRun;
}

/** One entry for each run, in the order in which they were given. */
export interface PreparedRun {
  readonly config: RunConfig;
  readonly stepsPerEpoch: number;
  /** Updates made so far. */
  readonly step: number;
  readonly parameterCount: number;
  /** Models without explicit flow have no attention to watch. */
  readonly hasFlow: boolean;
  /** What cannot be learnt of the data, in sentences; none if all is well. */
  readonly warnings: readonly string[];
}

export interface Prepared {
  readonly device: DeviceDescription;
  readonly runs: readonly PreparedRun[];
}

/** What a model makes of a source. */
export interface Watched {
  /** The step after which it was computed. */
  readonly step: number;
  /** [nodes] of the destinations. */
  readonly probabilities: Float32Array;
  /** [T + 1][nodes] focused attention, of models with explicit flow. */
  readonly focused?: readonly Float32Array[];
  /** [T][edges] flowing attention, by the edges of the graph with self-loops. */
  readonly flowing?: readonly Float32Array[];
}

export interface TrainingCalls {
  /** Opens the device, if it is not open, and starts runs on it; those of before are gone. */
  prepare(request: {
    readonly device: DeviceSettings;
    readonly runs: readonly RunRequest[];
  }): Promise<Prepared>;
  /** Trains until paused or done; answered at once. */
  train(request: object): Promise<void>;
  /** Answered when the step under way has ended. */
  pause(request: object): Promise<void>;
  /** Trains each run by one step. */
  step(request: object): Promise<void>;
  predict(request: { readonly source: number }): Promise<readonly Watched[]>;
  /** With the metrics of its last epoch, even if they are still to be computed. */
  save(request: { readonly run: number }): Promise<SavedRun>;
}

/** Of one run, since it was told last. */
export interface RunProgress {
  /** Steps made and their losses, by step. */
  readonly steps: readonly (readonly [step: number, loss: number])[];
  readonly epochs: readonly EpochMetrics[];
}

export type TrainingNews =
  | {
      readonly kind: 'progress';
      readonly runs: readonly RunProgress[];
      readonly stepsPerSecond: number;
      /** Device memory that is held, in bytes. */
      readonly memory: number;
    }
  | { readonly kind: 'ended'; readonly reason: 'paused' | 'done' }
  | { readonly kind: 'failed'; readonly message: string }
  | {
      /** The device was lost, another was opened, and training goes on from the steps given. */
      readonly kind: 'recovered';
      readonly reason: string;
      readonly device: DeviceDescription;
      readonly steps: readonly number[];
    };
