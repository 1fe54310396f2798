/** From one configuration to the next: runs that stay as they are go on, and training that ends is set aside. */
import {
  checkConfiguration,
  groupOf,
  runSettings,
  samePlace,
  sameValues,
} from '../configuration/configuration.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { labelOfPath } from '../configuration/run-form.ts';
import { noZoom } from '../drawing/map-layout.ts';
import type { WorldView } from '../protocol/world-protocol.ts';
import type { Datasets } from './datasets.ts';
import type { ResumedRun, RunState, SetAside, State } from './state.ts';
import type { Store } from './store.ts';
import type { Workers } from './workers.ts';

export interface ConfigureOptions {
  /** By run: what it goes on from. */
  readonly resumed?: readonly (ResumedRun | undefined)[];
  /** Runs start anew even if they are to stay as they are. */
  readonly isAnew?: boolean;
}

export type Configure = (configuration: Configuration, options?: ConfigureOptions) => Promise<void>;

interface Page {
  pickSource(this: void, node: number): void;
  watchNow(this: void): void;
  fail(this: void, error: unknown, isOfSettings?: boolean): void;
}

export function createConfiguring(
  { get, set }: Store<State>,
  workers: Workers,
  datasets: Datasets,
  { pickSource, watchNow, fail }: Page,
): Configure {
  let turn: Promise<void> = Promise.resolve();
  let asked = 0;
  /** What the workers have; the source may have moved since. */
  let made: Configuration | undefined;
  let phaseBefore: State['phase'] = 'failed';

  /** Shown at once, made in turn; of those that wait, only the last is made, and those that bring a run. */
  const configure: Configure = (next, { resumed = [], isAnew = false } = {}) => {
    const mine = ++asked;
    const { phase } = get();
    if (phase !== 'preparing') phaseBefore = phase === 'training' ? 'paused' : phase;
    set({ configuration: next, phase: 'preparing', watched: [], status: 'Preparing …' });
    turn = turn.then(async () => {
      if (mine === asked || resumed.length > 0) await change(next, resumed, isAnew);
    });
    return turn;
  };

  const change = async (
    next: Configuration,
    resumed: readonly (ResumedRun | undefined)[],
    isAnew: boolean,
  ): Promise<void> => {
    set({ phase: 'preparing' });
    const before = made && withSource(made, get());
    const isSameWorld = made !== undefined && samePlace(made, next);
    try {
      checkConfiguration(next, labelOfPath);
      const files = next.data && (await datasets.filesOf(next.data));
      const onFiles = files ? { files } : {};
      const saved = await saveRuns();
      const stays = (i: number): boolean =>
        !isAnew && isSameWorld && resumed[i] === undefined && sameRun(made?.runs[i], next.runs[i]);
      const from = next.runs.map((_, i) => (stays(i) ? saved[i] : resumed[i]));
      const ended = get().runs.filter(({ step }, i) => step > 0 && saved[i] && !stays(i));
      const setAside: SetAside | undefined =
        before && ended.length > 0
          ? { configuration: before, runs: saved, words: ended.map(wordsOf).join(' and ') }
          : get().setAside?.runs === resumed
            ? undefined
            : get().setAside;

      if (!isSameWorld) {
        const group = next.data ?? groupOf(next.world);
        const world = await workers.world('make', { group, seed: next.seed, ...onFiles });
        made = { ...next, runs: [] };
        set({
          world,
          layout: undefined,
          zoom: noZoom,
          marked: undefined,
          ceiling: undefined,
          source: undefined,
          query: queryOf(next, world),
          sourceView: undefined,
          runs: [],
          setAside,
          time: world.steps,
          isPlaying: false,
        });
        pickSource(sourceOf(next, world) ?? world.testSource);
        void askCeiling(world);
        if (!world.map && !world.positions) void askLayout(world);
      }
      const requests = next.runs.map((_, i) => {
        const stored = from[i]?.stored;
        return { settings: runSettings(next, i), ...(stored && { stored }) };
      });
      const { device, runs } = await workers.training('prepare', {
        device: next.device,
        runs: requests,
        ...onFiles,
      });
      made = next;
      if (get().notice?.isOfSettings) set({ notice: undefined });
      const isNewNote =
        device.note !== undefined && device.note !== get().device?.note && get().notice?.kind !== 'problem';
      set({
        device,
        runs: runs.map((run, i) => ({
          ...run,
          losses: from[i]?.losses ?? [],
          epochs: from[i]?.stored.epochs ?? [],
        })),
        setAside,
        phase: phaseOf(runs),
        stepsPerSecond: 0,
        status: ended.length > 0 ? `Set aside: ${setAside!.words}. Undo brings it back.` : 'Ready to train.',
        ...(isNewNote && { notice: { kind: 'news', text: device.note, isOfDevice: true } }),
      });
    } catch (error) {
      // What cannot be made leaves everything as it was, but for a world that was made already.
      const isAsBefore = before !== undefined && made !== undefined && samePlace(made, before);
      set(isAsBefore ? { configuration: before, phase: phaseBefore } : { phase: 'failed' });
      fail(error, true);
    }
    watchNow();
  };

  /** What cannot be saved is said; it does not stand in the way of another configuration. */
  const saveRuns = async (): Promise<ResumedRun[]> => {
    const saved: ResumedRun[] = [];
    try {
      await workers.training('pause', {});
      for (const i of get().runs.keys()) {
        const stored = await workers.training('save', { run: i });
        saved.push({ stored, losses: get().runs[i].losses });
      }
    } catch (error) {
      fail(error);
    }
    return saved;
  };

  const askCeiling = async (of: State['world']): Promise<void> => {
    try {
      const ceiling = await workers.world('ceiling', {});
      if (get().world === of) set({ ceiling });
    } catch (error) {
      fail(error);
    }
  };

  /** What is told meanwhile is drawn as it comes: see `startWorkers`. */
  const askLayout = async (of: State['world']): Promise<void> => {
    try {
      const layout = await workers.world('layOut', {});
      if (get().world === of) set({ layout });
    } catch (error) {
      fail(error);
    }
  };

  return configure;
}

const sameRun = (a: object | undefined, b: object | undefined): boolean =>
  a !== undefined && b !== undefined && sameValues(a, b);

const wordsOf = ({ config, step }: RunState): string => `${config.model} at step ${step}`;

function phaseOf(runs: readonly Pick<RunState, 'config' | 'step' | 'stepsPerEpoch'>[]): State['phase'] {
  if (runs.every(({ step }) => step === 0)) return 'ready';
  const isDone = runs.every(({ config, step, stepsPerEpoch }) => step >= config.epochs * stepsPerEpoch);
  return isDone ? 'done' : 'paused';
}

function withSource(configuration: Configuration, { world, source, query }: State): Configuration {
  if (!world || source === undefined) return configuration;
  return { ...configuration, source: placeOfSource(world, source), ...(query !== undefined && { query }) };
}

/** As a configuration has it: by its cell, or by its number. */
export function placeOfSource({ map }: WorldView, node: number): NonNullable<Configuration['source']> {
  return map ? { x: map.x[node], y: map.y[node] } : { node };
}

function sourceOf({ source }: Configuration, { map, nodeCount }: WorldView): number | undefined {
  if (!source) return undefined;
  if ('node' in source) return !map && source.node < nodeCount ? source.node : undefined;
  if (!map || source.x >= map.size || source.y >= map.size) return undefined;
  const node = map.nodeOfCell[source.y * map.size + source.x];
  return node >= 0 ? node : undefined;
}

function queryOf({ query }: Configuration, { queryNames, testQuery }: WorldView): number | undefined {
  return queryNames && query !== undefined && query < queryNames.length ? query : testQuery;
}
