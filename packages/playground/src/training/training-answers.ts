/**
 * The training worker: owns the device and the runs on it. One thing is done at a time, and between two steps the worker
 * looks at its messages; a pause is a loop that does not go on.
 */
import type { Dataset } from '@flowgrad/data';
import { deviceRecovery, isCard } from '@flowgrad/evaluation';
import { setBackend } from '@flowgrad/tensor';
import type { DataFiles } from '../data/data-files.ts';
import { nextMessage } from '../protocol/next-message.ts';
import type {
  DeviceSettings,
  RunRequest,
  TrainingCalls,
  TrainingNews,
} from '../protocol/training-protocol.ts';
import { createNews } from './news.ts';
import type { News } from './news.ts';
import type { Device, openDevice } from './open-device.ts';
import { createRun } from './run.ts';
import type { Run } from './run.ts';

/** How long training goes on between two states kept for the case that the device is lost. */
const keepingEvery = 5000;
/** Losses of the device in a row, with no state kept between them, after which wasm takes over. */
const lossesAtMost = 2;

export function trainingAnswers(open: typeof openDevice, tell: (news: TrainingNews) => void): TrainingCalls {
  let wanted: DeviceSettings | undefined;
  let device: Device | undefined;
  let runs: Run[] = [];
  let news: News | undefined;
  let isRunning = false;
  let keptAt = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** After what was asked before has ended. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };

  const discard = (some: readonly Run[]): void => {
    for (const { trainer } of some) trainer.dispose();
  };

  /** If it has to open another, what lives on the one before is gone. */
  const useDevice = async (settings: DeviceSettings): Promise<Device> => {
    if (device && JSON.stringify(wanted) === JSON.stringify(settings)) return device;
    discard(runs);
    runs = [];
    await device?.backend.close();
    device = undefined;
    device = await open(settings);
    wanted = settings;
    setBackend(device.backend);
    return device;
  };

  /** The dataset that runs are on, read again only if it is another; undefined of grid worlds, which are made. */
  const datasetOf = async (
    { group }: RunRequest['settings'],
    files: DataFiles,
  ): Promise<Dataset | undefined> => {
    if (!isCard(group)) return undefined;
    const present = runs[0]?.trainer.dataset;
    if (present?.sha256 === group.sha256) return present;
    const { readFiles } = await import('../data/read-files.ts');
    return readFiles(files);
  };

  const prepare = async (settings: DeviceSettings, requests: readonly RunRequest[], files: DataFiles) => {
    const dataset = await datasetOf(requests[0].settings, files);
    const { description } = await useDevice(settings);
    const made: Run[] = [];
    try {
      for (const request of requests) made.push(createRun(request, dataset ?? made[0]?.trainer.dataset));
    } catch (error) {
      discard(made);
      throw error;
    }
    discard(runs);
    runs = made;
    news = createNews(runs.length, () => device?.memory() ?? 0, tell);
    keptAt = performance.now();
    recovery.kept();
    return { device: description, runs: runs.map((run) => run.describe()) };
  };

  /** The metrics of an epoch whose last step is made, where they are still to come. */
  const completeEpoch = async (index: number): Promise<void> => {
    const event = runs[index].isEpochDue ? await runs[index].next() : undefined;
    if (event) news?.add(index, event);
  };

  /** One event of each run that is not done; with `isWhole` a step, and the metrics of the epoch it completes. */
  const advance = async (isWhole = false): Promise<void> => {
    for (const [index, run] of runs.entries()) {
      if (isWhole) await completeEpoch(index);
      const event = await run.next();
      if (event) news?.add(index, event);
      if (isWhole) await completeEpoch(index);
    }
    if (performance.now() - keptAt < keepingEvery) return;
    for (const run of runs) await run.keep();
    keptAt = performance.now();
    recovery.kept();
  };

  /** Another device, and the runs from where they were kept last. */
  const recovery = deviceRecovery(async (lost, losses) => {
    // What was trained before the loss is told first: it is about to be taken back.
    news?.tell(true);
    const settings = wanted!;
    const before = runs;
    runs = [];
    await device?.backend.close().catch(() => undefined);
    device = undefined;
    const safe: DeviceSettings = { ...settings, device: 'wasm' };
    const again = losses > lossesAtMost ? useDevice(safe) : useDevice(settings).catch(() => useDevice(safe));
    const { description } = await again;
    runs = before.map((run) => run.renew());
    discard(before);
    tell({
      kind: 'recovered',
      reason: lost.message,
      device: description,
      steps: runs.map(({ step }) => step),
    });
  });

  const loop = async (): Promise<void> => {
    try {
      while (isRunning && runs.some((run) => !run.isDone)) {
        await inTurn(() => recovery.run(() => advance()));
        news?.tell();
        await nextMessage();
      }
      // The metrics of the last epoch come after its last step.
      if (isRunning) await inTurn(() => recovery.run(() => advance()));
      news?.tell(true);
      news?.rest();
      if (isRunning) tell({ kind: 'ended', reason: 'done' });
    } catch (error) {
      news?.tell(true);
      tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
    isRunning = false;
  };

  const pause = async (): Promise<void> => {
    isRunning = false;
    await inTurn(async () => news?.tell(true));
  };

  return {
    prepare: async ({ device: settings, runs: requests, files = {} }) => {
      await pause();
      return inTurn(() => prepare(settings, requests, files));
    },
    train: async () => {
      if (isRunning) return;
      isRunning = true;
      void loop();
    },
    pause,
    step: async () => {
      await pause();
      await inTurn(() => recovery.run(() => advance(true)));
      news?.tell(true);
    },
    predict: ({ source, query }) =>
      inTurn(() =>
        recovery.run(async () => {
          const watched = [];
          for (const run of runs) watched.push(await run.watch(source, query));
          return watched;
        }),
      ),
    save: ({ run }) =>
      inTurn(() =>
        recovery.run(async () => {
          if (run >= runs.length)
            throw new RangeError(`save: expected one of ${runs.length} runs, got run ${run}`);
          await completeEpoch(run);
          news?.tell(true);
          return runs[run].save();
        }),
      ),
  };
}
