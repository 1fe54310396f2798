/** Trains a run and shows how it goes: what `train` and `demo` have in common. */
import type { Dataset } from '@flowgrad/data';
import { rankingOf, variantName, worldName } from '@flowgrad/evaluation';
import type { RankingName, RunConfig, RunSettings } from '@flowgrad/evaluation';
import { readConfig, trainRun } from '@flowgrad/evaluation/node';
import type { EpochRecord, RunEvent, TrainedRun } from '@flowgrad/evaluation/node';
import { counted } from '@flowgrad/files';
import { openBackend } from '@flowgrad/tensor/node';
import type { DeviceName, OpenBackend } from '@flowgrad/tensor/node';
import type { Output, Surroundings } from '../command.ts';
import { isSupervised } from '../supervised.ts';
import { createProgress } from '../terminal/progress.ts';
import type { Progress } from '../terminal/progress.ts';

export interface TrainOptions {
  readonly folder: string;
  readonly settings?: RunSettings;
  /** What the run is on, if that is no grid world. */
  readonly dataset?: Dataset | undefined;
  readonly resume: boolean;
  /** See `TrainRunOptions`. */
  readonly fromEpoch?: number | undefined;
  readonly device: DeviceName;
  readonly threads: number | undefined;
  /** Events as lines of JSON on stdout, instead of progress. */
  readonly json: boolean;
}

/** Undefined if it was stopped before its first step. */
export async function trainWithProgress(
  { stdout, stderr, signal, enter }: Surroundings,
  { folder, settings, dataset, resume, fromEpoch, device, threads, json }: TrainOptions,
): Promise<TrainedRun | undefined> {
  const progress = progressOf(stderr);
  const isNews = isSupervised() ? seldom() : () => true;
  const open = (): Promise<OpenBackend> => openBackend({ device, ...(threads !== undefined && { threads }) });
  // A device that cannot be opened leaves no folder behind: that of a new run is made when there is one.
  let ready = (await readConfig(folder)) ? undefined : await open();
  let isOurs = false;
  const takeBackend = async (): Promise<OpenBackend> => {
    isOurs = true;
    enter?.('beginning');
    expectGoing(signal);
    const backend = ready ?? (await open());
    ready = undefined;
    return backend;
  };
  try {
    expectGoing(signal);
    enter?.('beginning');
    return await trainRun({
      folder,
      ...(settings && { settings }),
      ...(dataset && { dataset }),
      resume,
      ...(fromEpoch !== undefined && { fromEpoch }),
      openBackend: takeBackend,
      signal,
      onEvent: (event) => {
        // Whoever waits for another process to leave the folder has nothing to leave in order.
        if (event.kind === 'note' && !isOurs) enter?.('preparing');
        if (event.kind === 'start') {
          expectGoing(signal);
          enter?.('working');
        }
        if (!json) progress.show(event);
        else if (isNews(event)) stdout.write(`${JSON.stringify({ ...event, folder })}\n`);
      },
    });
  } catch (error) {
    if (error instanceof StoppedError) return undefined;
    throw error;
  } finally {
    progress.end();
    // A run that could not begin has not taken it.
    await ready?.close();
  }
}

/** Ends a run that was told to stop before its first step. */
class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

function expectGoing(signal: AbortSignal): void {
  if (signal.aborted) throw new StoppedError('train: stopped before the first step');
}

const stepMilliseconds = 200;

/** Of steps a few in a second: whoever supervises would be woken for each, and take a core from the training. */
function seldom(): (event: RunEvent) => boolean {
  let told = -Infinity;
  return ({ kind }) => {
    if (kind !== 'step') return true;
    if (performance.now() - told < stepMilliseconds) return false;
    told = performance.now();
    return true;
  };
}

/** `seed 1` needs no mention, others do. */
export function runTitle(config: RunConfig): string {
  const { seed, shuffling } = config;
  const numbers = seed === 1 && shuffling === 1 ? '' : `, seed ${seed}, shuffling ${shuffling}`;
  return `${variantName(config)} on ${worldName(config)}${numbers}`;
}

function progressOf(stderr: Output) {
  let progress: Progress | undefined;
  let epochs = 0;
  let ranking: RankingName = 'raw';
  const show = (event: RunEvent): void => {
    switch (event.kind) {
      case 'start': {
        const { config, backend, steps, step } = event;
        progress?.end();
        epochs = config.epochs;
        ranking = rankingOf(config);
        const from = step === 0 ? '' : `, from step ${step + 1} of ${steps}`;
        stderr.write(`Training ${runTitle(config)}: ${counted(epochs, 'epoch')}${from}; ${backend}\n`);
        progress = createProgress(stderr, { label: config.model, total: steps, done: step, unit: 'steps' });
        break;
      }
      case 'step':
        progress?.update(event.step);
        break;
      case 'epoch':
        if (stderr.isTTY) progress?.update(event.record.step, shortNote(event.record, ranking));
        else progress?.line(epochLine(event.record, epochs, ranking, event.lostAttention));
        break;
      case 'lost':
        progress?.line(`The device was lost (${event.reason}); going on from the last checkpoint.`);
        break;
      case 'note':
        if (progress) progress.line(event.text);
        else stderr.write(`${event.text}\n`);
        break;
      case 'checkpoint':
    }
  };
  return { show, end: () => progress?.end() };
}

const shortNote = ({ epoch, valid }: EpochRecord, ranking: RankingName): string =>
  `epoch ${epoch}: MRR ${valid[ranking].mrr.toFixed(3)}`;

function epochLine(
  { epoch, loss, valid, seconds }: EpochRecord,
  epochs: number,
  ranking: RankingName,
  lostAttention: number | undefined,
): string {
  const cut = lostAttention === undefined ? '' : `, ${(100 * lostAttention).toFixed(1)} % of attention cut`;
  const { hits1, mrr } = valid[ranking];
  const filtered = ranking === 'filtered' ? 'filtered ' : '';
  return (
    `epoch ${epoch}/${epochs}: loss ${loss.toFixed(4)}, validation ${filtered}hits@1 ${hits1.toFixed(1)} %, ` +
    `MRR ${mrr.toFixed(3)}${cut}, ${seconds.toFixed(1)} s`
  );
}
