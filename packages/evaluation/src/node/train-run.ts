/** Trains a run in its folder, from the beginning or from where it was left. */
import { arch, cpus, platform } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { DeviceLostError, setBackend } from '@flowgrad/tensor';
import type { OpenBackend } from '@flowgrad/tensor/node';
import { resolveRun } from '../run/run-config.ts';
import type { RunConfig, RunSettings } from '../run/run-config.ts';
import { stepsDone } from '../training/checkpoint.ts';
import type { Checkpoint } from '../training/checkpoint.ts';
import { locateNaN } from '../training/locate-nan.ts';
import { NotFiniteError } from '../training/predict.ts';
import { createTrainer } from '../training/trainer.ts';
import type { Trainer } from '../training/trainer.ts';
import { training } from '../training/training.ts';
import { finishRun, readResult } from './finish-run.ts';
import type { RunResult } from './finish-run.ts';
import {
  addEnvironment,
  createRunFolder,
  pruneRun,
  readCheckpoint,
  readConfig,
  readEpochs,
  writeBeforeNaN,
  writeCheckpoint,
  writeEpochs,
  writeSnapshot,
} from './run-folder.ts';
import type { EpochRecord } from './run-folder.ts';
import { lockRun } from './run-lock.ts';
import { version } from './version.ts';

export type RunEvent =
  | {
      readonly kind: 'start';
      readonly config: RunConfig;
      readonly backend: string;
      readonly steps: number;
      readonly step: number;
    }
  | { readonly kind: 'step'; readonly step: number; readonly loss: number }
  | { readonly kind: 'epoch'; readonly record: EpochRecord }
  | { readonly kind: 'checkpoint'; readonly step: number }
  | { readonly kind: 'lost'; readonly reason: string };

export interface TrainRunOptions {
  readonly folder: string;
  /** Needed for a new run; with `resume` it must agree with the folder, if given. */
  readonly settings?: RunSettings;
  /** Go on with the run in the folder, if there is one. Without it, a folder that has one is an error. */
  readonly resume?: boolean;
  /** Called at the start, and again when the device is lost. */
  readonly openBackend: () => Promise<OpenBackend>;
  /** When it fires, the step under way is finished and a checkpoint written. */
  readonly signal?: AbortSignal;
  /** Between checkpoints within an epoch; 60 unless given. */
  readonly checkpointSeconds?: number;
  readonly onEvent?: (event: RunEvent) => void;
}

export interface TrainedRun {
  readonly config: RunConfig;
  readonly epochs: readonly EpochRecord[];
  /** Absent if it was stopped before the end. */
  readonly result?: RunResult;
}

/** The run became NaN; `folder` holds its state before the step that did it. */
export class RunNaNError extends Error {
  override readonly name = 'RunNaNError';
  readonly step: number;
  readonly folder: string;

  constructor(step: number, problem: string, folder: string) {
    super(`train: step ${step}: ${problem} (the state before it is in ${folder})`);
    this.step = step;
    this.folder = folder;
  }
}

/** Losses of the device without a checkpoint between them, after which it is given up. */
const lossesAtMost = 3;

export async function trainRun(options: TrainRunOptions): Promise<TrainedRun> {
  const config = await prepareFolder(options);
  const release = await lockRun(options.folder);
  try {
    const done = await readResult(options.folder);
    if (done) return { config, epochs: await readEpochs(options.folder), result: done };
    let losses = 0;
    const onEvent = (event: RunEvent): void => {
      if (event.kind === 'checkpoint') losses = 0;
      options.onEvent?.(event);
    };
    for (;;) {
      const backend = await options.openBackend();
      try {
        return await trainOn(backend, config, { ...options, onEvent });
      } catch (error) {
        losses += 1;
        if (!(error instanceof DeviceLostError) || losses > lossesAtMost) throw error;
        onEvent({ kind: 'lost', reason: error.message });
      } finally {
        setBackend(undefined);
        await backend.close().catch(() => undefined);
      }
    }
  } finally {
    await release();
  }
}

async function prepareFolder({ folder, settings, resume = false }: TrainRunOptions): Promise<RunConfig> {
  const there = await readConfig(folder);
  const asked = settings && resolveRun(settings);
  if (!there) {
    if (!asked) throw new Error(`train: expected a run in ${folder} to go on with, got none`);
    await createRunFolder(folder, asked);
    return asked;
  }
  if (!resume) {
    throw new Error(
      `train: expected no run in ${folder}, got one (--resume goes on with it; or choose another folder)`,
    );
  }
  if (asked && JSON.stringify(asked) !== JSON.stringify(there)) {
    const keys = Object.keys({ ...asked, ...there }) as (keyof RunConfig)[];
    const different = keys.filter((key) => JSON.stringify(asked[key]) !== JSON.stringify(there[key]));
    const show = (of: RunConfig): string =>
      different.map((key) => `${key} ${JSON.stringify(of[key])}`).join(', ');
    throw new Error(
      `train: expected the settings of the run in ${folder} (${show(there)}), got others (${show(asked)})`,
    );
  }
  return there;
}

async function trainOn(
  backend: OpenBackend,
  config: RunConfig,
  { folder, signal, checkpointSeconds = 60, onEvent }: TrainRunOptions,
): Promise<TrainedRun> {
  setBackend(backend);
  const trainer = createTrainer(config);
  try {
    let latest = await readCheckpoint(folder);
    if (latest) trainer.load(latest);
    else latest = await trainer.save();
    const done = latest.position.epoch;
    const epochs = (await readEpochs(folder)).filter(({ epoch }) => epoch <= done);
    await writeEpochs(folder, epochs);
    const stepNow = (): number => stepsDone(trainer.position, trainer.stepsPerEpoch);
    const description = describeBackend(backend);
    await addEnvironment(folder, {
      ...machine(),
      backend: backend.name,
      device: description,
      fromStep: stepNow() + 1,
    });
    onEvent?.({
      kind: 'start',
      config,
      backend: description,
      steps: config.epochs * trainer.stepsPerEpoch,
      step: stepNow(),
    });

    let checkpointed = performance.now();
    const checkpoint = async (state: Checkpoint): Promise<void> => {
      latest = state;
      await writeCheckpoint(folder, stepNow(), state);
      checkpointed = performance.now();
      onEvent?.({ kind: 'checkpoint', step: stepNow() });
    };
    let epochStarted = performance.now();
    try {
      for await (const event of training(trainer)) {
        // wasm never waits for anything: without this no signal would be seen before the end of the epoch.
        await setImmediate();
        if (event.kind === 'epoch') {
          const { metrics } = event;
          const state = await trainer.save();
          const record = { ...metrics, seconds: (performance.now() - epochStarted) / 1000 };
          epochStarted = performance.now();
          epochs.push(record);
          await writeSnapshot(folder, metrics.epoch, state.parameters);
          await writeEpochs(folder, epochs);
          await checkpoint(state);
          await pruneRun(folder, epochs);
          onEvent?.({ kind: 'epoch', record });
        } else {
          onEvent?.(event);
          const isWithinEpoch = trainer.position.losses.length > 0;
          const isTime = performance.now() - checkpointed > 1000 * checkpointSeconds;
          if (isWithinEpoch && (isTime || signal?.aborted)) await checkpoint(await trainer.save());
          // At the end of an epoch its metrics come first.
          if (!isWithinEpoch) continue;
        }
        if (signal?.aborted && !trainer.isDone) return { config, epochs };
      }
    } catch (error) {
      if (error instanceof NotFiniteError) throw await explainNaN(trainer, latest, folder, error);
      throw error;
    }
    return { config, epochs, result: await finishRun(folder, trainer, epochs) };
  } finally {
    trainer.dispose();
  }
}

async function explainNaN(trainer: Trainer, from: Checkpoint, folder: string, error: Error): Promise<Error> {
  // The state that evaluation met may be one step further than the loss that was still finite.
  const located = await locateNaN(trainer, from, trainer.stepsPerEpoch + 1);
  if (!located) return error;
  const { step, before, problem } = located;
  return new RunNaNError(step, problem, await writeBeforeNaN(folder, step, before));
}

const machine = () => ({
  flowgrad: version,
  node: process.version,
  platform: `${platform()} ${arch()}`,
  processor: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
});

/** `wasm, 2 threads, relaxed SIMD`; `webgpu, SwiftShader Device`. */
export function describeBackend(backend: OpenBackend): string {
  const { threads, simd, adapter } = backend as OpenBackend & {
    readonly threads?: number;
    readonly simd?: string;
    readonly adapter?: { readonly name: string };
  };
  return [
    backend.name,
    ...(threads === undefined ? [] : [`${threads} ${threads === 1 ? 'thread' : 'threads'}`]),
    ...(simd === undefined ? [] : [`${simd} SIMD`]),
    ...(adapter === undefined ? [] : [adapter.name]),
  ].join(', ');
}
