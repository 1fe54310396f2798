/** Trains a run in its folder, from the beginning or from where it was left. */
import { arch, cpus, platform } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Dataset } from '@flowgrad/data';
import type { FileContent } from '@flowgrad/files/node';
import { setBackend } from '@flowgrad/tensor';
import type { OpenBackend } from '@flowgrad/tensor/node';
import { rankingOf } from '../metrics/best-epochs.ts';
import { expectDataset, isCard } from '../run/dataset-card.ts';
import type { RunConfig, RunSettings } from '../run/run-config.ts';
import { checkpointFiles, checkpointFolder, jsonLines, jsonText, snapshotPath } from '../run/run-files.ts';
import type { EpochRecord, RunResult } from '../run/run-record.ts';
import { stepsDone } from '../training/checkpoint.ts';
import type { Checkpoint } from '../training/checkpoint.ts';
import { deviceRecovery } from '../training/device-recovery.ts';
import { locateNaN } from '../training/locate-nan.ts';
import { NotFiniteError } from '../training/predict.ts';
import { createTrainer } from '../training/trainer.ts';
import type { Trainer } from '../training/trainer.ts';
import { training } from '../training/training.ts';
import { finishRun } from './finish-run.ts';
import { checkpointsToKeep, obsoleteFiles } from './kept-files.ts';
import { claimFolder } from './owned-folder.ts';
import type { KeptCheckpoint } from './examine-run.ts';
import { traceOfManifest } from './lost-manifest.ts';
import type { OwnedFolder } from './owned-folder.ts';
import { planResume } from './plan-resume.ts';
import type { Resumption } from './plan-resume.ts';
import { prepareRun, readFinishedRun } from './prepare-run.ts';
import { version } from './version.ts';

/** What `trainRun` reports while it works. */
export type RunEvent =
  | {
      readonly kind: 'start';
      readonly config: RunConfig;
      readonly backend: string;
      readonly steps: number;
      readonly step: number;
    }
  | { readonly kind: 'step'; readonly step: number; readonly loss: number }
  /** `lostAttention`, in 0 … 1, is what pruned flow did not carry on, a mean over the epoch; absent where flow is not pruned. */
  | { readonly kind: 'epoch'; readonly record: EpochRecord; readonly lostAttention?: number }
  | { readonly kind: 'checkpoint'; readonly step: number }
  | { readonly kind: 'lost'; readonly reason: string }
  /** Something to tell of the folder or of the data, in a sentence. */
  | { readonly kind: 'note'; readonly text: string };

/** Where to train, what, on which backend, and who is told. */
export interface TrainRunOptions {
  readonly folder: string;
  /** Needed for a new run; with `resume` it must agree with the folder, if given. */
  readonly settings?: RunSettings;
  /** What the run is on, if that is no grid world. */
  readonly dataset?: Dataset;
  /** Go on with the run in the folder, if there is one. Without it, a folder that has one is an error. */
  readonly resume?: boolean;
  /** Go on after this epoch, rather than from the latest checkpoint; 0 begins anew. What came later is dropped. */
  readonly fromEpoch?: number;
  /** Called at the start, and again when the device is lost. */
  readonly openBackend: () => Promise<OpenBackend>;
  /** When it fires, the step under way is finished and a checkpoint written. */
  readonly signal?: AbortSignal;
  /** Between checkpoints within an epoch; 60 unless given. */
  readonly checkpointSeconds?: number;
  /** See `ClaimOptions`. */
  readonly leaseSeconds?: number;
  readonly onEvent?: (event: RunEvent) => void;
}

/** A run as far as it came. */
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

/**
 * Trains a run in its folder until it is done or told to stop, and goes on after a lost device from the last
 * checkpoint. A run that is done is returned as it is.
 */
export async function trainRun(options: TrainRunOptions): Promise<TrainedRun> {
  const { folder, leaseSeconds } = options;
  let { fromEpoch } = options;
  const recovery = deviceRecovery((lost, losses) => {
    if (losses > lossesAtMost) throw lost;
    onEvent({ kind: 'lost', reason: lost.message });
  });
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'checkpoint') recovery.kept();
    // What was asked for is done: after a lost device it goes on from the latest checkpoint.
    if (event.kind === 'start') fromEpoch = undefined;
    options.onEvent?.(event);
  };
  const note = (text: string): void => onEvent({ kind: 'note', text });
  let hasWarned = false;
  const warn = (trainer: Trainer): void => {
    if (!hasWarned) trainer.warnings().forEach(note);
    hasWarned = true;
  };
  const before = await readFinishedRun(options);
  if (before) return before;
  const trace = await traceOfManifest(folder);
  const onWait = (owner: string): void => note(`Waiting to see whether ${owner} still trains in ${folder}`);
  const run = await claimFolder(folder, { ...(leaseSeconds !== undefined && { leaseSeconds }), onWait });
  try {
    const { config, finished } = await prepareRun(run, options, { note, trace });
    if (finished) return finished;
    if (isCard(config.group)) expectDataset('train', config.group, options.dataset);
    return await recovery.run(async () => {
      // Before a device is opened: most of what can be wrong is found here.
      const from = await planResume(folder, fromEpoch);
      const backend = await options.openBackend();
      try {
        return await trainOn(backend, run, { ...options, config, from, onEvent, warn });
      } finally {
        setBackend(undefined);
        await backend.close().catch(() => undefined);
      }
    });
  } finally {
    await run.release();
  }
}

interface Beginning {
  readonly config: RunConfig;
  readonly from: Resumption;
  /** Notes what cannot be learnt, the first time. */
  readonly warn: (trainer: Trainer) => void;
}

async function trainOn(
  backend: OpenBackend,
  run: OwnedFolder,
  { config, from, warn, dataset, signal, checkpointSeconds = 60, onEvent }: Beginning & TrainRunOptions,
): Promise<TrainedRun> {
  const { folder } = run;
  setBackend(backend);
  const trainer = createTrainer(config, dataset ? { dataset } : {});
  try {
    for (const text of from.notes) onEvent?.({ kind: 'note', text });
    if (from.checkpoint) loadCheckpoint(trainer, from.checkpoint, folder);
    let latest: Checkpoint = from.checkpoint ?? (await trainer.save());
    const epochs = [...from.epochs];
    let kept = from.checkpoints.map(({ step, position }) => ({ step, epoch: position.epoch }));
    const stepNow = (): number => stepsDone(trainer.position, trainer.stepsPerEpoch);
    const description = `${backend.name}, ${backend.device}`;
    const here = { ...machine(), backend: backend.name, device: description, fromStep: stepNow() + 1 };
    await run.commit({
      write: {
        'environment.json': jsonText([...from.environments, here]),
        'metrics.jsonl': jsonLines(epochs),
      },
      remove: Object.keys(run.manifest.files).filter(from.isObsolete),
    });
    onEvent?.({
      kind: 'start',
      config,
      backend: description,
      steps: config.epochs * trainer.stepsPerEpoch,
      step: stepNow(),
    });
    warn(trainer);

    let checkpointed = performance.now();
    const checkpoint = async (state: Checkpoint, more: Readonly<Record<string, FileContent>> = {}) => {
      latest = state;
      kept = checkpointsToKeep([{ step: stepNow(), epoch: state.position.epoch }, ...kept]);
      const target = checkpointFolder(stepNow());
      await run.commit({
        write: {
          ...more,
          ...checkpointFiles(target, state),
          [`${target}/metrics.jsonl`]: jsonLines(epochs),
        },
        remove: obsoleteFiles(run.manifest, kept, epochs, rankingOf(config)),
      });
      checkpointed = performance.now();
      onEvent?.({ kind: 'checkpoint', step: stepNow() });
    };
    let epochStarted = performance.now();
    try {
      for await (const event of training(trainer)) {
        // wasm never waits for anything: without this no signal would be seen before the end of the epoch.
        await setImmediate();
        if (event.kind === 'epoch') {
          const { metrics, lostAttention } = event;
          const state = await trainer.save();
          const record = { ...metrics, seconds: (performance.now() - epochStarted) / 1000 };
          epochStarted = performance.now();
          epochs.push(record);
          await checkpoint(state, {
            [snapshotPath(metrics.epoch)]: state.parameters,
            'metrics.jsonl': jsonLines(epochs),
          });
          onEvent?.({ kind: 'epoch', record, ...(lostAttention !== undefined && { lostAttention }) });
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
      if (error instanceof NotFiniteError) throw await explainNaN(trainer, latest, run, error);
      throw error;
    }
    const obsolete = obsoleteFiles(run.manifest, kept.slice(0, 1), epochs, rankingOf(config));
    return { config, epochs, result: await finishRun(run, trainer, epochs, obsolete) };
  } finally {
    trainer.dispose();
  }
}

/** Position and step may contradict the dataset, which is known only now. */
function loadCheckpoint(trainer: Trainer, checkpoint: KeptCheckpoint, folder: string): void {
  const path = `${folder}/${checkpointFolder(checkpoint.step)}`;
  const { position, step } = checkpoint;
  if (
    position.losses.length >= trainer.stepsPerEpoch ||
    stepsDone(position, trainer.stepsPerEpoch) !== step
  ) {
    throw new Error(
      `train: ${path}/position.json: expected the position after ${step} steps of ${trainer.stepsPerEpoch} in an epoch, ` +
        `got epoch ${position.epoch} and ${position.losses.length} losses (--resume --from-epoch 0 begins anew)`,
    );
  }
  try {
    trainer.load(checkpoint);
  } catch (error) {
    throw new Error(`train: ${path}: ${(error as Error).message} (--resume --from-epoch 0 begins anew)`);
  }
}

async function explainNaN(
  trainer: Trainer,
  from: Checkpoint,
  { folder, commit }: OwnedFolder,
  error: Error,
): Promise<Error> {
  // The state that evaluation met may be one step further than the loss that was still finite.
  const located = await locateNaN(trainer, from, trainer.stepsPerEpoch + 1);
  if (!located) return error;
  const { step, before, problem } = located;
  // Beside the checkpoints that a run goes on from.
  const name = `before-step-${step}`;
  await commit({ write: checkpointFiles(name, before) });
  return new RunNaNError(step, problem, join(folder, name));
}

const machine = () => ({
  flowgrad: version,
  node: process.version,
  platform: `${platform()} ${arch()}`,
  processor: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
});
