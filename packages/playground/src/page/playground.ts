/** What a person can do, without how it looks: asks the workers and keeps the state. */
import { choiceOf, worldOf } from '../configuration/configuration.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { OpenedRun } from '../exchange/read-run.ts';
import type { SavedRun, TrainingNews } from '../protocol/training-protocol.ts';
import { createConfiguring, sameWorld } from './configuring.ts';
import type { Configure } from './configuring.ts';
import { latest } from './latest.ts';
import type { ResumedRun, RunState, State } from './state.ts';
import type { Store } from './store.ts';
import type { Workers } from './workers.ts';

export interface Playground {
  /** Makes the world and starts runs anew where they have changed; those that have not are carried over. */
  configure(this: void, configuration: Configuration): Promise<void>;
  pickSource(this: void, node: number): void;
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
  save(this: void, run: number): Promise<SavedRun>;
}

/** While it trains, what is watched is computed again that often, if it does not take too long itself. */
const watchingEvery = 400;

export function createPlayground(
  store: Store<State>,
  start: (onNews: (news: TrainingNews) => void) => Workers,
): Playground {
  const { get, set } = store;
  const workers = start((news) => hear(news));
  /** Of the configuration. */
  let version = 0;
  let watchAgainAt = 0;

  const fail = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    set({ notice: { kind: 'problem', text }, status: text });
  };

  const look = latest(async (source: number) => {
    try {
      const sourceView = await workers.world('lookAt', { source });
      if (get().source === source) set({ sourceView });
    } catch (error) {
      fail(error);
    }
  });

  const watch = latest(async (source: number) => {
    // Until it is prepared, the runs are still those of before.
    if (get().phase === 'preparing') return;
    const asked = version;
    try {
      const before = performance.now();
      const watched = await workers.training('predict', { source });
      watchAgainAt = performance.now() + Math.max(watchingEvery, 3 * (performance.now() - before));
      if (asked === version && get().source === source) set({ watched });
    } catch (error) {
      fail(error);
    }
  });

  const watchNow = (): void => {
    const { source } = get();
    if (source !== undefined) watch(source);
  };

  const pickSource = (node: number): void => {
    const { world, source, configuration } = get();
    if (!world || node < 0 || node === source) return;
    const cell = { x: world.map.x[node], y: world.map.y[node] };
    set({ source: node, configuration: { ...configuration, source: cell } });
    look(node);
    watch(node);
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

  const make = createConfiguring(store, workers, { pickSource, watchNow, fail });
  const configure: Configure = (configuration, options) => {
    version += 1;
    return make(configuration, options);
  };
  const restart = (): Promise<void> => configure(get().configuration, { isAnew: true });

  const attempt = (work: () => Promise<void>) => (): Promise<void> => work().catch(fail);

  return {
    configure: (configuration) => configure(configuration),
    pickSource,
    train: attempt(async () => {
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
    open: async (opened, place) => {
      const { configuration } = get();
      const { group, seed } = opened.config;
      const isSame = sameWorld(configuration, { ...configuration, world: worldOf(group), seed });
      if (place > 0 && !isSame) {
        fail(
          'open: expected a run of the world that is shown, got one of another (open it as the first model)',
        );
        return;
      }
      const runs = isSame ? [...configuration.runs] : [];
      runs[place] = choiceOf(opened.config);
      const resumed: (ResumedRun | undefined)[] = [];
      resumed[place] = { stored: opened.stored, losses: [] };
      const { source: _, ...rest } = configuration;
      const next = isSame ? configuration : rest;
      await configure({ ...next, world: worldOf(group), seed, runs }, { resumed });
    },
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
