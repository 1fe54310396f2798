/** Runs whose files were damaged, lost or mixed up: nothing of it passes in silence, and there is a way out. */
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceBackend } from '@flowgrad/tensor';
import type { OpenBackend } from '@flowgrad/tensor/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { smallRun } from '../testing/small-run.ts';
import { examineRun } from './examine-run.ts';
import { foreignNames } from './manifest-file.ts';
import { isRunDone } from './prepare-run.ts';
import { readConfig, readEpochLines, readEpochs, readResult } from './run-folder.ts';
import { trainRun } from './train-run.ts';
import type { RunEvent, TrainRunOptions } from './train-run.ts';

let root: string;
let folder: string;
let opened: number;
let notes: string[];
let number = 0;

const openBackend = (): Promise<OpenBackend> => {
  opened += 1;
  return Promise.resolve(Object.assign(referenceBackend(), { close: () => Promise.resolve() }));
};
const onEvent = (event: RunEvent): void => {
  if (event.kind === 'note') notes.push(event.text);
};
const train = (options: Partial<TrainRunOptions>): ReturnType<typeof trainRun> =>
  trainRun({ folder, settings: smallRun, openBackend, onEvent, ...options });
const resume = (options: Partial<TrainRunOptions> = {}): ReturnType<typeof trainRun> =>
  train({ resume: true, ...options });

const metricsOf = async (of: string): Promise<unknown[]> =>
  (await readEpochs(of)).map(({ seconds: _, ...metrics }) => metrics);
const expectWhole = async (): Promise<void> => {
  expect(await metricsOf(folder)).toEqual(await metricsOf(join(root, 'whole')));
  expect((await readResult(folder))!.raw).toEqual((await readResult(join(root, 'whole')))!.raw);
  expect((await examineRun(folder)).findings).toEqual([]);
};

/** `whole` is done; `half` has three of four epochs and a step of the last, `older` is the same without a manifest. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'flowgrad-damaged-'));
  notes = [];
  folder = join(root, 'whole');
  await train({});
  folder = join(root, 'half');
  const stop = new AbortController();
  let steps = 0;
  await train({
    signal: stop.signal,
    onEvent: ({ kind }) => {
      if (kind === 'step' && ++steps === 10) stop.abort();
    },
  });
  await cp(folder, join(root, 'older'), { recursive: true });
  for (const name of readdirSync(join(root, 'older'))) {
    if (name.startsWith('manifest-')) rmSync(join(root, 'older', name));
  }
  for (const name of readdirSync(join(root, 'older', 'checkpoints'))) {
    if (name !== 'step-00000010') rmSync(join(root, 'older', 'checkpoints', name), { recursive: true });
  }
  rmSync(join(root, 'older', 'checkpoints', 'step-00000010', 'metrics.jsonl'));
});
afterAll(() => rm(root, { recursive: true }));
beforeEach(() => {
  folder = join(root, `case-${++number}`);
  opened = 0;
  notes = [];
});

const latest = 'checkpoints/step-00000010';
const change = (path: string, by: (text: string) => string | undefined): void => {
  const text = by(readFileSync(join(folder, path), 'latin1'));
  if (text === undefined) rmSync(join(folder, path));
  else writeFileSync(join(folder, path), text, 'latin1');
};
/** The last bit of a file but one: in a safetensors file, of a parameter. */
const flip = (text: string): string =>
  text.slice(0, -2) + String.fromCharCode(text.charCodeAt(text.length - 2) ^ 1) + text.slice(-1);
const withoutLastLine = (text: string): string => text.split('\n').slice(0, -2).join('\n') + '\n';
const withLine = (line: string) => (text: string) => {
  const lines = text.split('\n');
  return [lines[0], line, ...lines.slice(2)].join('\n');
};

const metricsDamage: [string, (text: string) => string | undefined][] = [
  ['gone', () => undefined],
  ['emptied', () => ''],
  ['without its last line', withoutLastLine],
  ['with a line that is null', withLine('null')],
  ['with a damaged line', withLine('{"epoch":2,')],
  ['with one bit flipped', flip],
];

describe('a run that is not done', () => {
  beforeEach(() => cp(join(root, 'half'), folder, { recursive: true }));

  it('keeps the latest two checkpoints and one of an earlier epoch, and nothing is wrong with it', async () => {
    expect(readdirSync(join(folder, 'checkpoints')).sort()).toEqual([
      ...['step-00000006', 'step-00000009', 'step-00000010'],
    ]);
    const { findings, fromEpochs, foreign } = await examineRun(folder);
    expect({ findings, fromEpochs, foreign }).toEqual({ findings: [], fromEpochs: [0, 2, 3], foreign: [] });
    await resume();
    await expectWhole();
  });

  it.each(metricsDamage)(
    'says so when metrics.jsonl is %s, and loses nothing by --from-epoch',
    async (_, damage) => {
      change('metrics.jsonl', damage);
      await expect(resume()).rejects.toThrow(
        /^train: .*metrics\.jsonl: .*\(--resume --from-epoch 2 or 3 goes on after that epoch, 0 begins anew\)$/,
      );
      expect(opened).toBe(0);
      await expect(resume({ fromEpoch: 1 })).rejects.toThrow('expected --from-epoch 2 or 3');
      await resume({ fromEpoch: 3 });
      await expectWhole();
    },
  );

  it.each<[string, string, (text: string) => string | undefined]>([
    ['parameters.safetensors', 'flipped', flip],
    ['adam.safetensors', 'flipped', flip],
    ['adam.safetensors', 'gone', () => undefined],
    ['position.json', '{}', () => '{}'],
    ['position.json', 'far ahead', () => '{"epoch":999,"losses":[]}'],
    ['metrics.jsonl', 'cut', (text) => text.slice(0, -9)],
  ])('says so when %s of the latest checkpoint is %s, and uses the one before', async (name, _, damage) => {
    change(`${latest}/${name}`, damage);
    await resume();
    expect(notes).toEqual([expect.stringContaining(`${folder}/${latest}/${name}: expected the `)]);
    await expectWhole();
  });

  it('without any whole checkpoint is an error that names a file and the way out', async () => {
    for (const step of ['06', '09', '10']) change(`checkpoints/step-000000${step}/adam.safetensors`, flip);
    await expect(resume()).rejects.toThrow(
      /adam\.safetensors: .*--from-epoch 0 begins anew; there is no whole/,
    );
    expect(opened).toBe(0);
    await resume({ fromEpoch: 0 });
    await expectWhole();
  });

  it.each<[string, (text: string) => string | undefined]>([
    ['environment.json', () => '{}'],
    ['snapshots/epoch-0001.safetensors', flip],
    ['config.json', (text) => text.replace('"epochs": 4', '"epochs": 5')],
  ])('with a damaged %s is an error before any training', async (path, damage) => {
    change(path, damage);
    await expect(resume({ settings: smallRun })).rejects.toThrow(path);
    expect(opened).toBe(0);
  });

  it('goes back to an earlier epoch, or to the beginning, when asked to', async () => {
    await resume({ fromEpoch: 2 });
    await expectWhole();
    await resume({ fromEpoch: 0 });
    await expectWhole();
  });

  it('is no run without checkpoints when their folder cannot be read', async () => {
    rmSync(join(folder, 'checkpoints'), { recursive: true });
    await writeFile(join(folder, 'checkpoints'), '');
    await expect(resume()).rejects.toThrow(/checkpoints\/step-\d+\/.*ENOTDIR/);
    expect(opened).toBe(0);
  });

  it('stops before its next write when another process has taken over', async () => {
    const stolen = (): void => writeFileSync(join(folder, 'manifest-90000000.json'), '');
    let before: string[] = [];
    const attempt = resume({
      onEvent: ({ kind }) => {
        if (kind !== 'start') return;
        stolen();
        before = readdirSync(folder, { recursive: true }).map(String).sort();
      },
    });
    await expect(attempt).rejects.toThrow('another one has taken it over');
    expect(readdirSync(folder, { recursive: true }).map(String).sort()).toEqual(before);
  });
});

describe('a run of an older release', () => {
  beforeEach(() => cp(join(root, 'older'), folder, { recursive: true }));

  it('is taken over, which is said, and gives the same numbers', async () => {
    await resume();
    expect(notes).toEqual([expect.stringContaining('has no manifest, as runs of older releases')]);
    await expectWhole();
  });

  it.each(metricsDamage.slice(0, 5))('says so when metrics.jsonl is %s', async (_, damage) => {
    change('metrics.jsonl', damage);
    await expect(resume()).rejects.toThrow(/metrics\.jsonl.*--from-epoch 0 begins anew/);
    expect(opened).toBe(0);
  });

  it.each([
    '{}',
    'null',
    '{"epoch":999,"losses":[]}',
    '{"epoch":1,"losses":[null]}',
    '{"epoch":3,"losses":[1,2]}',
  ])('says so when position.json is %s', async (position) => {
    change(`${latest}/position.json`, () => position);
    await expect(resume()).rejects.toThrow('position.json: expected');
    expect(await readEpochs(folder)).toHaveLength(3);
  });

  it('says so when environment.json is no list', async () => {
    change('environment.json', () => '{}');
    await expect(resume()).rejects.toThrow('environment.json: expected a list of environments');
    expect(opened).toBe(0);
  });

  it.each(['null', '[]', '{}', '"x"'])('says so when config.json is %s', async (config) => {
    change('config.json', () => config);
    await expect(resume()).rejects.toThrow(/config\.json: .*expected/);
    expect((await examineRun(folder)).findings.map(({ file }) => file)).toContain('config.json');
  });

  it('is not begun anew where config.json is gone', async () => {
    change('config.json', () => undefined);
    const files = readdirSync(folder);
    await expect(resume()).rejects.toThrow('(of a run, but no config.json: put that back');
    expect(readdirSync(folder)).toEqual(files);
  });

  it.each<[string, (text: string) => string | undefined]>([
    ['gone', () => undefined],
    ['emptied', () => ''],
    ['cut', (text) => text.slice(0, -1)],
    ['longer', (text) => `${text}\0`],
    ['without its header', (text) => text.slice(300)],
  ])('says so before training when a snapshot that it needs is %s', async (_, damage) => {
    change('snapshots/epoch-0003.safetensors', damage);
    const { findings, fromEpochs } = await examineRun(folder);
    expect(findings).toEqual([
      { file: 'snapshots/epoch-0003.safetensors', problem: expect.stringMatching(/^expected/) as string },
    ]);
    expect(fromEpochs).toEqual([0]);
    await expect(resume()).rejects.toThrow(/epoch-0003\.safetensors: expected.*--from-epoch 0 begins anew/);
    expect(opened).toBe(0);
    await resume({ fromEpoch: 0 });
    await expectWhole();
  });

  it('does not read a file that is longer than its header says', async () => {
    truncateSync(join(folder, latest, 'adam.safetensors'), 2 ** 27);
    const memory = process.memoryUsage().arrayBuffers;
    await expect(resume()).rejects.toThrow(
      /adam\.safetensors: expected the \d+ bytes that its header lists, got 134217728/,
    );
    expect(process.memoryUsage().arrayBuffers - memory).toBeLessThan(2 ** 24);
  });

  it('is not read as one with fewer epochs', async () => {
    change('metrics.jsonl', (text) => text.split('\n').slice(0, 2).join('\n') + '\n');
    await expect(readEpochs(folder)).rejects.toThrow(
      'metrics.jsonl: expected a line for each of the 3 epochs in',
    );
  });

  it('is not begun anew because its checkpoints cannot be read', async () => {
    rmSync(join(folder, 'checkpoints'), { recursive: true });
    await writeFile(join(folder, 'checkpoints'), '');
    await expect(resume()).rejects.toThrow('ENOTDIR');
    expect(await readEpochLines(folder)).toHaveLength(3);
  });
});

describe('a run that has lost its manifest', () => {
  it.each(['half', 'whole'])('%s is told from one of an older release, and gets another', async (name) => {
    await cp(join(root, name), folder, { recursive: true });
    for (const each of readdirSync(folder)) if (each.startsWith('manifest-')) rmSync(join(folder, each));
    const { findings } = await examineRun(folder);
    expect(findings).toEqual([{ file: 'manifest-*.json', problem: expect.any(String) as string }]);
    expect(findings[0].problem).toMatch(
      /^expected the manifest of a run, got none beside checkpoints\/step-/,
    );
    expect(await isRunDone(folder)).toBe(false);
    await resume();
    expect(notes).toEqual([expect.stringContaining('has lost the manifest that checkpoints/')]);
    await expectWhole();
    expect(await isRunDone(folder)).toBe(true);
  });
});

describe('a file that a folder has taken the place of', () => {
  beforeEach(() => cp(join(root, 'half'), folder, { recursive: true }));

  it.each(['environment.json', 'metrics.jsonl'])('%s comes back if that is empty', async (path) => {
    change(path, () => undefined);
    await mkdir(join(folder, path));
    await expect(resume()).rejects.toThrow(`${path}: `);
    await resume({ fromEpoch: 3 });
    await expectWhole();
    expect(readFileSync(join(folder, path), 'utf8')).not.toBe('');
  });

  it('is an error that leaves it alone if there is something in it', async () => {
    const path = join(folder, latest, 'adam.safetensors');
    rmSync(path);
    await mkdir(path);
    await writeFile(join(path, 'notes.txt'), 'mine');
    await expect(resume()).rejects.toThrow('ENOTEMPTY');
    expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('mine');
  });
});

describe('a run that is done', () => {
  beforeEach(() => cp(join(root, 'whole'), folder, { recursive: true }));

  it.each(['summary.json', 'attention.json'])('with {} in %s is made whole by --from-epoch', async (path) => {
    change(path, () => '{}');
    expect((await examineRun(folder)).findings).toEqual([
      { file: path, problem: expect.stringContaining('that the manifest lists, got 2 bytes') as string },
    ]);
    if (path === 'summary.json') await expect(resume()).rejects.toThrow('summary.json');
    await resume({ fromEpoch: 4 });
    await expectWhole();
  });
});

describe('a new run', () => {
  it('is refused in a folder that holds anything else, which is named and stays', async () => {
    const names = ['notes.tmp-1.txt', 'project.old-2023/a.txt', 'snapshots/my-weights.safetensors'];
    for (const name of names) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), 'mine');
    }
    await expect(train({})).rejects.toThrow(
      `train: expected an empty folder, or none, for a new run, got ${folder} with notes.tmp-1.txt, project.old-2023, ` +
        'snapshots (choose another folder',
    );
    expect(readdirSync(folder).sort()).toEqual(['notes.tmp-1.txt', 'project.old-2023', 'snapshots']);
    for (const name of names) expect(existsSync(join(folder, name))).toBe(true);
  });

  it('leaves names alone that appear in its folder', async () => {
    await cp(join(root, 'half'), folder, { recursive: true });
    const names = ['a.tmp-1', 'b.old-1', 'checkpoints/.step-00000012.tmp-1', 'snapshots/mine.safetensors'];
    for (const name of names) await writeFile(join(folder, name), 'mine');
    await resume();
    expect(await foreignNames(folder)).toEqual(names);
    await expectWhole();
  });

  it('is begun by one of two with other settings, and the other leaves nothing', async () => {
    for (let i = 0; i < 6; i++) {
      folder = join(root, `race-${i}`);
      const epochs = [1, 2];
      const ends = await Promise.allSettled(
        epochs.map((count) => train({ settings: { ...smallRun, epochs: count } })),
      );
      const won = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value.config] : []));
      expect(won).toHaveLength(1);
      expect(await readConfig(folder)).toEqual(won[0]);
      expect(await readEpochs(folder)).toHaveLength(won[0].epochs);
      expect((await examineRun(folder)).findings).toEqual([]);
      expect(await foreignNames(folder)).toEqual([]);
      expect(readdirSync(folder).filter((name) => /^(\.tmp|lock)-/.test(name))).toEqual([]);
      const [lost] = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
      expect(lost).toMatch(/locked by process|expected no run in/);
    }
  });
});
