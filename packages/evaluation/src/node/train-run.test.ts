import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DYNAMICS, parseGroupName } from '@flowgrad/gridworld';
import { memory, referenceBackend, wasmBackend, webGpuBackend } from '@flowgrad/tensor';
import { openDevice, openWebGpu } from '@flowgrad/tensor/node';
import type { OpenBackend } from '@flowgrad/tensor/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manifestOf } from '../run/manifest.ts';
import { runFiles } from '../run/run-files.ts';
import { smallRun } from '../testing/small-run.ts';
import { examineRun } from './examine-run.ts';
import { listingOf } from './manifest-file.ts';
import {
  findRuns,
  readAttention,
  readCheckpoint,
  readConfig,
  readEnvironments,
  readEpochs,
  readResult,
  readSnapshot,
} from './run-folder.ts';
import { trainRun } from './train-run.ts';
import type { RunEvent, RunNaNError, TrainRunOptions } from './train-run.ts';

let root: string;
let before: ReturnType<typeof memory>;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'flowgrad-runs-'));
  before = memory();
});
afterEach(async () => {
  expect(memory(), 'live buffers').toEqual(before);
  await rm(root, { recursive: true });
});

const openReference = (): Promise<OpenBackend> =>
  Promise.resolve(Object.assign(referenceBackend(), { close: () => Promise.resolve() }));

const train = (options: Partial<TrainRunOptions>): ReturnType<typeof trainRun> =>
  trainRun({ folder: join(root, 'run'), settings: smallRun, openBackend: openReference, ...options });

/** The metrics of a run without what depends on the clock. */
const metricsOf = async (folder: string): Promise<unknown[]> =>
  (await readEpochs(folder)).map(({ seconds: _, ...metrics }) => metrics);

/** Stops a run at an event. */
const stopAt = (kind: RunEvent['kind'], count: number): Pick<TrainRunOptions, 'signal' | 'onEvent'> => {
  const stop = new AbortController();
  let seen = 0;
  const onEvent = (event: RunEvent): void => {
    if (event.kind === kind && ++seen === count) stop.abort();
  };
  return { signal: stop.signal, onEvent };
};

describe('trainRun', () => {
  it('trains to the end where the history of a walk is a sum, with its ceiling', async () => {
    const world = { ...parseGroupName(smallRun.group), name: 'own' };
    const latentDirection = { ...DYNAMICS.HISTORY, history: 'sum' } as const;
    const settings = { ...smallRun, group: { ...world, latentDirection }, epochs: 1 };
    const { result } = await train({ settings });
    expect(result?.raw.mrr.mean).toBeGreaterThan(0);
    expect(result?.ceiling?.raw.mrr).toBeGreaterThan(0);
  });

  it('leaves nothing behind where a world has too few nodes', async () => {
    const group = { ...parseGroupName('LINE-SZ4-STP2-NDRP-STD0.2'), name: 'own', nodeDrop: 0.75 };
    let refused = 0;
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const folder = join(root, `run${seed}`);
      try {
        await train({ folder, settings: { ...smallRun, group, seed }, ...stopAt('start', 1) });
      } catch (error) {
        refused += 1;
        expect(String(error)).toContain('run: group: expected at least 3 nodes');
        expect(existsSync(folder)).toBe(false);
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  it('writes everything that the run was, and what came of it', async () => {
    const folder = join(root, 'run');
    const { config, epochs, result } = await train({});
    expect(await readConfig(folder)).toEqual(config);
    expect(epochs.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4]);
    expect(await readEpochs(folder)).toEqual(epochs);
    expect(await readResult(folder)).toEqual(result);
    expect(result!.ceiling!.raw.mr).toBeGreaterThanOrEqual(1);
    expect(result!.flow!.share).toHaveLength(4);
    const [environment, ...others] = await readEnvironments(folder);
    expect(others).toEqual([]);
    expect(environment).toMatchObject({ backend: 'reference', node: process.version, fromStep: 1 });
    const attention = (await readAttention(folder))!;
    expect(attention.trajectory[0]).toBe(attention.source);
    expect(attention.focused![0]).toEqual([[attention.source, 1]]);
    expect(attention.top).toHaveLength(10);
    expect((await readdir(folder)).sort()).toEqual([
      ...['attention.json', 'checkpoints', 'config.json', 'environment.json'],
      ...[
        expect.stringMatching(/^manifest-\d{8}\.json$/) as string,
        'metrics.jsonl',
        'snapshots',
        'summary.json',
      ],
    ]);
    expect(await readdir(join(folder, 'checkpoints'))).toEqual(['step-00000012']);
  });

  it('tells what happens in order', async () => {
    const kinds: string[] = [];
    await train({ settings: { ...smallRun, epochs: 1 }, onEvent: ({ kind }) => kinds.push(kind) });
    expect(kinds).toEqual(['start', 'step', 'step', 'step', 'checkpoint', 'epoch']);
  });

  it.for<[RunEvent['kind'], number]>([
    ['start', 1],
    ['step', 1],
    ['step', 2],
    ['step', 3],
    ['checkpoint', 1],
    ['epoch', 2],
    ['step', 11],
  ])('stopped at %s %i and resumed gives the metrics of a run that was not', async ([kind, count]) => {
    await train({ folder: join(root, 'whole') });
    const folder = join(root, 'stopped');
    const stopped = await train({ folder, ...stopAt(kind, count) });
    expect(stopped.result).toBeUndefined();
    expect(await readCheckpoint(folder)).toBeDefined();
    const resumed = await train({ folder, resume: true });
    expect(await metricsOf(folder)).toEqual(await metricsOf(join(root, 'whole')));
    expect(resumed.result!.raw).toEqual((await readResult(join(root, 'whole')))!.raw);
    expect((await readEnvironments(folder)).length).toBe(2);
  });

  it('goes on from files that were made elsewhere', async () => {
    const folder = join(root, 'run');
    const { config, epochs } = await train(stopAt('step', 8));
    const checkpoint = (await readCheckpoint(folder))!;
    const snapshots = await Promise.all(
      epochs.map(async ({ epoch }) => ({
        epoch,
        parameters: new Uint8Array((await readSnapshot(folder, epoch))!),
      })),
    );
    const elsewhere = join(root, 'elsewhere');
    const files = runFiles({ config, step: 8, checkpoint, epochs, snapshots });
    expect(Object.keys(files).sort()).toEqual([
      ...['adam.safetensors', 'parameters.safetensors', 'position.json'].map(
        (name) => `checkpoints/step-00000008/${name}`,
      ),
      ...['config.json', 'metrics.jsonl'],
      ...['snapshots/epoch-0001.safetensors', 'snapshots/epoch-0002.safetensors'],
    ]);
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(elsewhere, dirname(name)), { recursive: true });
      await writeFile(join(elsewhere, name), content);
    }
    // With a manifest it is a folder like those made here, and nothing is to be said of it.
    for (const [name, text] of Object.entries(
      await manifestOf(files, (content) => Promise.resolve(listingOf(content))),
    )) {
      await writeFile(join(elsewhere, name), text);
    }
    expect(await examineRun(elsewhere)).toMatchObject({ findings: [], isListed: true, foreign: [] });
    const there = await train({ folder: elsewhere, resume: true });
    const here = await train({ resume: true });
    expect(await metricsOf(elsewhere)).toEqual(await metricsOf(folder));
    expect(there.result!.raw).toEqual(here.result!.raw);
  });

  it('takes over a folder of an older release, drops what is newer than its checkpoint, and leaves other names alone', async () => {
    await train({ folder: join(root, 'whole') });
    const folder = join(root, 'run');
    await train({ folder, ...stopAt('epoch', 2) });
    for (const name of await readdir(folder)) if (name.startsWith('manifest-')) await rm(join(folder, name));
    await rm(join(folder, 'checkpoints', 'step-00000003'), { recursive: true });
    await rm(join(folder, 'checkpoints', 'step-00000006', 'metrics.jsonl'));
    // As if it had been killed after the metrics of epoch 3, in the middle of writing its checkpoint.
    const lines = await readFile(join(root, 'whole', 'metrics.jsonl'), 'utf8');
    await writeFile(join(folder, 'metrics.jsonl'), lines.split('\n').slice(0, 3).join('\n') + '\n');
    const others = ['checkpoints/.step-00000009.tmp-abc', 'config.json.tmp-12', 'lock', 'notes.old-1'];
    await mkdir(join(folder, others[0]));
    for (const name of others.slice(1)) await writeFile(join(folder, name), '999999999');
    const notes: string[] = [];
    await train({
      folder,
      resume: true,
      onEvent: (event) => event.kind === 'note' && notes.push(event.text),
    });
    expect(await metricsOf(folder)).toEqual(await metricsOf(join(root, 'whole')));
    expect(notes).toEqual([
      `${folder} has no manifest, as runs of older releases; its files are listed in one now, ` +
        `but not ${others.join(', ')}, which stay as they are`,
    ]);
    for (const name of others) expect(existsSync(join(folder, name)), name).toBe(true);
  });

  it('keeps the snapshots that some metric needs, and no others', async () => {
    const folder = join(root, 'run');
    await train({ settings: { ...smallRun, epochs: 12 } });
    const epochs = await readEpochs(folder);
    const needed = new Set<number>();
    for (const metric of ['hits1', 'hits5', 'hits10', 'mr', 'mrr'] as const) {
      const sign = metric === 'mr' ? 1 : -1;
      const order = [...epochs].sort((a, b) => sign * (a.valid.raw[metric] - b.valid.raw[metric]));
      for (const { epoch } of order.slice(0, 3)) needed.add(epoch);
    }
    const kept = (await readdir(join(folder, 'snapshots'))).map((name) => Number(name.slice(6, 10)));
    expect(kept.sort()).toEqual([...needed].sort());
    expect(kept.length).toBeLessThan(12);
  });

  it('does nothing to a run that is done', async () => {
    const first = await train({});
    let opened = 0;
    const again = await train({
      resume: true,
      openBackend: () => {
        opened += 1;
        return openReference();
      },
    });
    expect(again).toEqual(first);
    expect(opened).toBe(0);
  });

  it('refuses a folder that has a run, other settings, and one that has none', async () => {
    const folder = join(root, 'run');
    await train({ settings: { ...smallRun, epochs: 1 } });
    await expect(train({})).rejects.toThrow(
      `train: expected no run in ${folder}, got one (--resume goes on with it`,
    );
    await expect(train({ resume: true })).rejects.toThrow(
      `train: expected the settings of the run in ${folder} (epochs 1), got others (epochs 4)`,
    );
    await expect(
      trainRun({ folder: join(root, 'none'), resume: true, openBackend: openReference }),
    ).rejects.toThrow('to go on with, got none');
  });

  it('refuses a folder in which another process trains', async () => {
    const folder = join(root, 'run');
    await mkdir(folder);
    await writeFile(join(folder, 'lock'), String(process.ppid));
    await expect(train({})).rejects.toThrow(`locked by process ${process.ppid}`);
  });

  it('stops at NaN with the step, the op and the state before', async () => {
    const wild = { ...smallRun, learningRates: [1e38] };
    const error = await train({ settings: wild }).then(
      () => expect.unreachable(),
      (caught: unknown) => caught as RunNaNError,
    );
    expect(error.message).toMatch(
      /^train: step \d+: expected finite values, got .* of \w+\(.*\(the state before it is in .*before-step-\d+\)$/,
    );
    const { folder, step } = error;
    const position = JSON.parse(await readFile(join(folder, 'position.json'), 'utf8')) as {
      losses: number[];
    };
    expect(position.losses).toHaveLength(step - 1);
    expect(await readdir(folder)).toContain('parameters.safetensors');
  });

  it('passes on what a disk says', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(train({ folder: join(root, 'file', 'run') })).rejects.toThrow(/ENOTDIR/);
  });

  it('reopens a device that was lost and goes on from the last checkpoint', async () => {
    const settings = { ...smallRun, epochs: 3 };
    const whole = await train({ folder: join(root, 'whole'), settings, openBackend: openWebGpu });
    const devices: { destroy(): void }[] = [];
    let steps = 0;
    let lost = 0;
    const openBackend = async (): Promise<OpenBackend> => {
      const opened = await openDevice();
      devices.push(opened.device);
      return webGpuBackend(opened.device, opened);
    };
    const onEvent = ({ kind }: RunEvent): void => {
      if (kind === 'step' && ++steps === 5) devices.at(-1)!.destroy();
      if (kind === 'lost') lost += 1;
    };
    const { epochs } = await train({ settings, openBackend, onEvent });
    expect(lost).toBe(1);
    expect(devices).toHaveLength(2);
    const timeless = (records: typeof epochs): unknown[] => records.map(({ seconds: _, ...rest }) => rest);
    expect(timeless(epochs)).toEqual(timeless(whole.epochs));
  });

  it('gives up on a device that is lost again and again', async () => {
    let opened = 0;
    const openBackend = async (): Promise<OpenBackend> => {
      opened += 1;
      const lost = await openDevice();
      lost.device.destroy();
      return webGpuBackend(lost.device, lost);
    };
    await expect(train({ openBackend })).rejects.toThrow(/device/);
    expect(opened).toBe(4);
  });

  it('closes the backend also when training fails', async () => {
    let closed = 0;
    const openBackend = async (): Promise<OpenBackend> => {
      const backend = await wasmBackend();
      const close = backend.close.bind(backend);
      backend.close = () => {
        closed += 1;
        return close();
      };
      return backend;
    };
    await expect(train({ settings: { ...smallRun, learningRates: [1e38] }, openBackend })).rejects.toThrow(
      'step',
    );
    expect(closed).toBe(1);
  });
});

it('findRuns finds runs at any depth, and looks for none inside a run', async () => {
  for (const name of ['b/two', 'a/one']) {
    await mkdir(join(root, name, 'snapshots'), { recursive: true });
    await writeFile(join(root, name, 'config.json'), '{}');
  }
  expect(await findRuns(root)).toEqual([join(root, 'a/one'), join(root, 'b/two')]);
});

it('a broken file of a run is named', async () => {
  await writeFile(join(root, 'metrics.jsonl'), '{"epoch":1}\n{"epo');
  await expect(readEpochs(root)).rejects.toThrow(
    `${root}: expected JSON in metrics.jsonl, line 2, got something else`,
  );
});
