import { cardOf, epochsToKeep } from '@flowgrad/evaluation';
import type { RunSettings } from '@flowgrad/evaluation';
import { decodeSafetensors } from '@flowgrad/nn';
import { DeviceLostError, wasmBackend } from '@flowgrad/tensor';
import type { Backend } from '@flowgrad/tensor';
import { afterEach, expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { trainingProtocol } from '../protocol/training-protocol.ts';
import type { DeviceSettings, TrainingNews } from '../protocol/training-protocol.ts';
import type { DataFiles } from '../data/data-files.ts';
import { readFiles } from '../data/read-files.ts';
import type { Device } from './open-device.ts';
import { trainingAnswers } from './training-answers.ts';

const settings: RunSettings = {
  group: 'LINE-SZ5-STP2-NDRP-STD0.2',
  model: 'GGNN-Mul',
  options: { d: 4 },
  epochs: 2,
  batch: 4,
  learningRates: [0.01],
};
const wanted: DeviceSettings = { device: 'webgpu', simd: 'plain', threads: 1 };

/** A wasm backend that is lost for good after so many kernels. */
async function device(kernels = Infinity): Promise<Device> {
  const backend = await wasmBackend({ simd: 'plain' });
  let left = kernels;
  const run: Backend['run'] = (call) => {
    if (left-- <= 0) throw new DeviceLostError('it was unplugged');
    backend.run(call as never);
  };
  const close = (): Promise<void> => Promise.resolve();
  const fragile = new Proxy(backend, {
    get: (target, name) => {
      if (name === 'run') return run;
      if (name === 'close') return close;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { backend: fragile, description: { backend: 'webgpu', details: 'fragile' }, memory: () => 0 };
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Trains to the end on devices that hold so many kernels each. */
async function trainOn(lives: readonly number[], runs = [settings]) {
  const news: TrainingNews[] = [];
  const asked: string[] = [];
  let ended = (): void => undefined;
  const end = new Promise<void>((resolve) => (ended = resolve));
  const left = [...lives];
  const answers = trainingAnswers(
    async ({ device: name }) => {
      asked.push(name);
      return device(left.shift());
    },
    (each) => {
      news.push(each);
      if (each.kind === 'ended' || each.kind === 'failed') ended();
    },
  );
  await answers.prepare({ device: wanted, runs: runs.map((each) => ({ settings: each })) });
  await answers.train({});
  await end;
  const last = new Map<number, number>();
  for (const each of news) {
    if (each.kind === 'progress') for (const [step, loss] of each.runs[0].steps) last.set(step, loss);
  }
  return { answers, news, asked, losses: [...last] };
}

it('trains to the end and tells of every step and epoch', async () => {
  const { news, losses } = await trainOn([Infinity]);
  const epochs = news.flatMap((each) => (each.kind === 'progress' ? each.runs[0].epochs : []));
  expect(epochs.map(({ epoch }) => epoch)).toEqual([1, 2]);
  expect(losses.map(([step]) => step)).toEqual(losses.map((_, i) => i + 1));
  expect(losses).toHaveLength(epochs[1].step);
  expect(news.at(-1)).toEqual({ kind: 'ended', reason: 'done' });
});

it('a lost device is replaced, and the result is the same', async () => {
  const expected = await trainOn([Infinity]);
  // At a clock that stands still, nothing is told by itself after the first step.
  vi.spyOn(performance, 'now').mockReturnValue(1);
  const { losses, news, asked } = await trainOn([900, Infinity]);
  expect(losses).toEqual(expected.losses);
  const recovered = news.filter(({ kind }) => kind === 'recovered');
  expect(recovered).toEqual([
    {
      kind: 'recovered',
      reason: expect.stringContaining('it was unplugged') as string,
      device: { backend: 'webgpu', details: 'fragile' },
      steps: [0],
    },
  ]);
  expect(asked).toEqual(['webgpu', 'webgpu']);
  const after = news.slice(news.findIndex(({ kind }) => kind === 'recovered'));
  const steps = after.flatMap((each) => (each.kind === 'progress' ? each.runs[0].steps : []));
  expect(steps.map(([step]) => step)).toEqual(steps.map((_, i) => i + 1));
});

it('a device that is lost again and again is given up for wasm', async () => {
  const { asked, news } = await trainOn([300, 300, 300, Infinity]);
  expect(asked).toEqual(['webgpu', 'webgpu', 'webgpu', 'wasm']);
  expect(news.at(-1)?.kind).toBe('ended');
});

it('steps, predictions and two runs at a time do not disturb each other', async () => {
  const expected = await trainOn([Infinity]);
  const seen: [number, number][] = [];
  const answers = trainingAnswers(
    () => device(),
    (news) => {
      if (news.kind === 'progress') seen.push(...(news.runs[0].steps as [number, number][]));
    },
  );
  const other: RunSettings = { ...settings, model: 'RW-Stationary' };
  await answers.prepare({ device: wanted, runs: [{ settings }, { settings: other }] });
  for (let i = 0; i < 3; i++) {
    await Promise.all([answers.step({}), answers.predict({ source: i }), answers.save({ run: 1 })]);
  }
  expect(seen).toEqual(expected.losses.slice(0, 3));
  const [watched] = await answers.predict({ source: 1 });
  expect(watched.step).toBe(3);
  for (const attention of watched.focused!) {
    expect(attention.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 5);
  }
});

it('what has stopped for good comes with the attention of a model that stops, as its protocol has it', async () => {
  const answers = trainingAnswers(
    () => device(),
    () => undefined,
  );
  const walker: RunSettings = { ...settings, model: 'Walker' };
  await answers.prepare({ device: wanted, runs: [{ settings: walker }, { settings }] });
  const [watched, other] = await answers.predict({ source: 1 });
  expect(v.is(trainingProtocol.predict.gives, [watched, other])).toBe(true);
  expect(watched.stopped).toHaveLength(watched.focused!.length);
  const last = watched.focused!.at(-1)!;
  expect(watched.stopped!.at(-1)!.every((share, node) => share <= last[node] + 1e-6)).toBe(true);
  expect(Math.max(...watched.stopped!.at(-1)!)).toBeGreaterThan(0);
  expect(other).not.toHaveProperty('stopped');
});

it('a run that cannot be made leaves those of before as they are', async () => {
  const answers = trainingAnswers(
    () => device(),
    () => undefined,
  );
  await answers.prepare({ device: wanted, runs: [{ settings }] });
  await answers.step({});
  const wrong: RunSettings = { ...settings, model: 'GAT', options: { d: 16, heads: 3 } };
  await expect(answers.prepare({ device: wanted, runs: [{ settings: wrong }] })).rejects.toThrow(/heads/);
  expect((await answers.predict({ source: 0 }))[0].step).toBe(1);
});

it('a run is saved with all its epochs, the one that was just completed too', async () => {
  const run = { ...settings, epochs: 5 };
  let steps = 0;
  const epochs: number[] = [];
  let reached = (): void => undefined;
  const answers = trainingAnswers(
    () => device(),
    (news) => {
      if (news.kind !== 'progress') return;
      steps += news.runs[0].steps.length;
      epochs.push(...news.runs[0].epochs.map(({ epoch }) => epoch));
      if (steps > 0) reached();
    },
  );
  const { runs } = await answers.prepare({ device: wanted, runs: [{ settings: run }] });
  const { stepsPerEpoch } = runs[0];
  // A loop that is paused after the last step of an epoch has not yet come to its metrics.
  for (let step = 1; step < 4 * stepsPerEpoch; step++) await answers.step({});
  expect(epochs).toEqual([1, 2, 3]);
  const seen = new Promise<void>((resolve) => (reached = resolve));
  await answers.train({});
  const paused = answers.pause({});
  await Promise.all([seen, paused]);
  expect([steps, epochs]).toEqual([4 * stepsPerEpoch, [1, 2, 3]]);
  const saved = await answers.save({ run: 0 });
  expect(epochs).toEqual([1, 2, 3, 4]);
  expect(saved.position).toEqual({ epoch: 4, losses: [] });
  expect(saved.epochs.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4]);
  expect(saved.epochs.every(({ seconds }) => seconds > 0)).toBe(true);
  const kept = saved.snapshots.map(({ epoch }) => epoch);
  expect(new Set(kept)).toEqual(new Set(epochsToKeep(saved.epochs)));
  const { metadata } = decodeSafetensors(saved.snapshots[0].parameters);
  expect(metadata.get('epoch')).toBe(String(kept[0]));
  await expect(answers.save({ run: 1 })).rejects.toThrow('save: expected one of 1 runs, got run 1');
});

it('a run goes on from its checkpoint as if it had not been interrupted', async () => {
  const { losses } = await trainOn([Infinity]);
  const seen: [number, number][] = [];
  const answers = trainingAnswers(
    () => device(),
    (news) => {
      if (news.kind === 'progress') seen.push(...(news.runs[0].steps as [number, number][]));
    },
  );
  await answers.prepare({ device: wanted, runs: [{ settings }] });
  for (let i = 0; i < 2; i++) await answers.step({});
  const stored = await answers.save({ run: 0 });
  const { runs } = await answers.prepare({ device: wanted, runs: [{ settings, stored }] });
  expect(runs[0].step).toBe(2);
  for (let i = 0; i < 2; i++) await answers.step({});
  expect(seen).toEqual(losses.slice(0, 4));
});

it('a run on a dataset is trained and asked; without its files, or with others, it is not made', async () => {
  const files: DataFiles = {
    'manifest.json': new Blob(['{"format":"flowgrad-dataset","version":1,"name":"family","steps":2}']),
    'edges.tsv': new Blob(['sender\ttype\treceiver\nann\tparent\tbob\nbob\tparent\tcid\ncid\tfriend\tdot\n']),
    'examples.tsv': new Blob([
      'split\tsource\tdestination\tquery\ntrain\tann\tcid\tgrandchild\ntrain\tann\tbob\tchild\n' +
        'valid\tbob\tcid\tchild\ntest\tbob\tcid\tchild\n',
    ]),
  };
  const run: RunSettings = {
    ...settings,
    group: cardOf(await readFiles(files)),
    model: 'RW-Dynamic',
    epochs: 40,
    learningRates: [0.1],
  };
  const answers = trainingAnswers(
    () => device(),
    () => undefined,
  );
  await expect(answers.prepare({ device: wanted, runs: [{ settings: run }] })).rejects.toThrow(
    'manifest.json: expected a file, got none',
  );
  const others = { ...files, 'true.tsv': new Blob(['source\tdestination\tquery\n']) };
  await expect(answers.prepare({ device: wanted, runs: [{ settings: run }], files: others })).rejects.toThrow(
    /expected the dataset family .*, on which the run is, got family .*, whose files differ/,
  );
  await answers.prepare({ device: wanted, runs: [{ settings: run }], files });
  for (let step = 0; step < 40; step++) await answers.step({});
  const [[grandchild], [child]] = [
    await answers.predict({ source: 0, query: 0 }),
    await answers.predict({ source: 0, query: 1 }),
  ];
  expect(grandchild.probabilities[2]).toBeGreaterThan(0.8);
  expect(child.probabilities[1]).toBeGreaterThan(0.8);
});
