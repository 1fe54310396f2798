/** What a person can do, without how it looks: asks the workers and keeps the state. */
import { choiceOf, placeOf, samePlace } from '../configuration/configuration.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { replacedOn, withData } from '../configuration/run-form.ts';
import type { DataFiles } from '../data/data-files.ts';
import { MissingDataError } from '../data/missing-data-error.ts';
import type { OpenedRun } from '../exchange/read-run.ts';
import type { SavedRun, TrainingNews } from '../protocol/training-protocol.ts';
import type { LayoutNews } from '../protocol/world-protocol.ts';
import { createConfiguring, placeOfSource } from './configuring.ts';
import type { Configure } from './configuring.ts';
import { createDatasets } from './datasets.ts';
import { latest } from './latest.ts';
import type { ResumedRun, RunState, State } from './state.ts';
import type { Store } from './store.ts';
import { reasonNotToTrain } from './wrong-fields.ts';
import type { Workers } from './workers.ts';

export interface Playground {
  /** Makes the world and starts runs anew where they have changed; those that have not are carried over. */
  configure(this: void, configuration: Configuration): Promise<void>;
  pickSource(this: void, node: number): void;
  /** Asks something else of the same source. */
  pickQuery(this: void, query: number): void;
  train(this: void): Promise<void>;
  pause(this: void): Promise<void>;
  step(this: void): Promise<void>;
  /** Ends the run; it stays to be watched and saved. */
  stop(this: void): Promise<void>;
  /** Back to the start values. */
  reset(this: void): Promise<void>;
  /** Brings back the training that was set aside, in place of what is there now. */
  undo(this: void): Promise<void>;
  /** Takes a stored run in place of one of those here, or beside it. */
  open(this: void, opened: OpenedRun, place: number): Promise<void>;
  /** Takes a dataset that is open, or the grid world. If a model does not suit it, that is said. */
  useData(this: void, data: Configuration['data']): Promise<void>;
  /** Reads a dataset and takes it. Runs, and links, that waited for it go on. */
  openData(this: void, files: DataFiles): Promise<void>;
  /** Tries, and again when the dataset is opened that is missing; what is wrong is said. */
  whenOpen(this: void, work: () => Promise<void>): Promise<void>;
  save(this: void, run: number): Promise<SavedRun>;
}

/** Where attention starts, and what is asked where data has queries. */
interface Question {
  readonly source: number;
  readonly query?: number;
}

/** While it trains, what is watched is computed again that often, if it does not take too long itself. */
const watchingEvery = 400;

export function createPlayground(
  store: Store<State>,
  start: (onNews: (news: TrainingNews) => void, onLayout: (news: LayoutNews) => void) => Workers,
): Playground {
  const { get, set } = store;
  const workers = start(
    (news) => hear(news),
    (layout) => set({ layout }),
  );
  const datasets = createDatasets(workers);
  /** What a dataset is missing for. */
  let waiting: { readonly sha256: string; readonly work: () => Promise<void> } | undefined;
  /** Of the configuration. */
  let version = 0;
  let watchAgainAt = 0;

  const fail = (error: unknown, isOfSettings = false): void => {
    const text = error instanceof Error ? error.message : String(error);
    set({ notice: { kind: 'problem', text, isOfSettings }, status: text });
  };

  const isAsked = ({ source, query }: Question): boolean => get().source === source && get().query === query;

  const look = latest(async (question: Question) => {
    try {
      const sourceView = await workers.world('lookAt', question);
      if (isAsked(question)) set({ sourceView });
    } catch (error) {
      fail(error);
    }
  });

  const watch = latest(async (question: Question) => {
    // Until it is prepared, the runs are still those of before.
    if (get().phase === 'preparing') return;
    const asked = version;
    try {
      const before = performance.now();
      const watched = await workers.training('predict', question);
      watchAgainAt = performance.now() + Math.max(watchingEvery, 3 * (performance.now() - before));
      if (asked === version && isAsked(question)) set({ watched });
    } catch (error) {
      fail(error);
    }
  });

  const question = (): Question | undefined => {
    const { source, query } = get();
    return source === undefined ? undefined : { source, ...(query !== undefined && { query }) };
  };
  const watchNow = (): void => {
    const asked = question();
    if (asked) watch(asked);
  };
  const ask = (): void => {
    const asked = question();
    if (asked) look(asked);
    watchNow();
  };

  const pickSource = (node: number): void => {
    const { world, source, configuration } = get();
    if (!world || node < 0 || node === source) return;
    set({ source: node, configuration: { ...configuration, source: placeOfSource(world, node) } });
    ask();
  };

  const pickQuery = (query: number): void => {
    set({ query, configuration: { ...get().configuration, query } });
    ask();
  };

  const hear = (news: TrainingNews): void => {
    switch (news.kind) {
      case 'progress':
        set({
          runs: get().runs.map((run, i) => withProgress(run, news.runs[i])),
          stepsPerSecond: news.stepsPerSecond,
          memory: news.memory,
        });
        if (performance.now() >= watchAgainAt) {
          watchAgainAt = Infinity;
          watchNow();
        }
        return;
      case 'ended':
        set({ phase: 'done', status: 'Training is done.' });
        watchNow();
        return;
      case 'failed':
        set({ phase: 'failed' });
        fail(news.message);
        return;
      case 'recovered': {
        const text = `The device was lost. Training goes on from step ${news.steps[0]}, on ${news.device.backend} (${news.device.details}).`;
        set({
          device: news.device,
          runs: get().runs.map((run, i) => cutOff(run, news.steps[i])),
          notice: { kind: 'news', text },
          status: text,
        });
      }
    }
  };

  const make = createConfiguring(store, workers, datasets, { pickSource, watchNow, fail });
  const configure: Configure = (configuration, options) => {
    version += 1;
    return make(configuration, options);
  };
  const restart = (): Promise<void> => configure(get().configuration, { isAnew: true });

  const attempt = (work: () => Promise<void>) => (): Promise<void> =>
    work().catch((error: unknown) => fail(error));

  /** A click can come before the button is drawn as disabled. Beside the button stands why. */
  const isRefused = (): boolean => {
    const reason = reasonNotToTrain(get());
    if (reason !== '') set({ status: reason });
    return reason !== '';
  };

  const whenOpen = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => {
      if (error instanceof MissingDataError) waiting = { sha256: error.sha256, work };
      fail(error);
    });

  const open = async (opened: OpenedRun, place: number): Promise<void> => {
    const { configuration } = get();
    const { group, seed } = opened.config;
    const { source: _, query: __, data: ___, ...rest } = configuration;
    const next = { ...rest, ...placeOf(group, configuration.world), seed };
    if (next.data && !datasets.isKnown(next.data)) {
      throw new MissingDataError('open', next.data.name, next.data.sha256);
    }
    const isSame = samePlace(configuration, next);
    if (place > 0 && !isSame) {
      throw new Error(
        'open: expected a run of the world that is shown, got one of another (open it as the first model)',
      );
    }
    const runs = isSame ? [...configuration.runs] : [];
    runs[place] = choiceOf(opened.config);
    const resumed: (ResumedRun | undefined)[] = [];
    resumed[place] = { stored: opened.stored, losses: [] };
    await configure({ ...(isSame ? configuration : next), runs }, { resumed });
  };

  const useData = async (data: Configuration['data'], news = ''): Promise<void> => {
    const { configuration } = get();
    const text = [news, replacedOn(configuration.runs, data)].filter((each) => each !== '').join(' ');
    if (text !== '') set({ notice: { kind: 'news', text }, status: text });
    await configure(withData(configuration, data));
  };

  return {
    configure: (configuration) => configure(configuration),
    pickSource,
    pickQuery,
    train: attempt(async () => {
      if (isRefused()) return;
      if (get().phase === 'stopped') {
        await restart();
        if (get().phase !== 'ready') return;
      }
      set({ phase: 'training', status: 'Training.' });
      watchAgainAt = 0;
      await workers.training('train', {});
    }),
    pause: attempt(async () => {
      await workers.training('pause', {});
      const [run] = get().runs;
      if (get().phase === 'training') set({ phase: 'paused', status: `Paused at step ${run.step}.` });
      watchNow();
    }),
    step: attempt(async () => {
      if (isRefused()) return;
      await workers.training('step', {});
      if (get().phase === 'preparing') return;
      const [run] = get().runs;
      set({ phase: 'paused', status: `Step ${run.step}: loss ${run.losses.at(-1)?.[1].toFixed(4)}.` });
      watchNow();
    }),
    stop: attempt(async () => {
      await workers.training('pause', {});
      if (get().phase === 'preparing') return;
      set({ phase: 'stopped', status: `Stopped at step ${get().runs[0].step}.` });
      watchNow();
    }),
    reset: restart,
    undo: async () => {
      const { setAside } = get();
      if (setAside) await configure(setAside.configuration, { resumed: setAside.runs });
    },
    open,
    useData: (data) => useData(data),
    openData: async (files) => {
      const card = await datasets.open(files);
      set({ datasets: datasets.cards() });
      const waited = waiting;
      if (waited?.sha256 === card.sha256) {
        waiting = undefined;
        await waited.work();
        return;
      }
      await useData(card, `Opened the dataset ${card.name}.`);
    },
    whenOpen,
    save: (run) => workers.training('save', { run }),
  };
}

function withProgress(
  run: RunState,
  { steps, epochs }: { steps: RunState['losses']; epochs: RunState['epochs'] },
): RunState {
  return {
    ...run,
    step: steps.at(-1)?.[0] ?? run.step,
    losses: steps.length > 0 ? [...run.losses, ...steps] : run.losses,
    epochs: epochs.length > 0 ? [...run.epochs, ...epochs] : run.epochs,
  };
}

function cutOff(run: RunState, step: number): RunState {
  return {
    ...run,
    step,
    losses: run.losses.filter(([at]) => at <= step),
    epochs: run.epochs.filter((epoch) => epoch.step <= step),
  };
}
