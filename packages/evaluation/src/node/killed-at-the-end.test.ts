/** A run that is killed when its last checkpoint is in place, or while it finishes and lets its folder go. */
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceBackend } from '@flowgrad/tensor';
import type { OpenBackend } from '@flowgrad/tensor/node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { smallRun } from '../testing/small-run.ts';
import { examineRun } from './examine-run.ts';
import type * as owners from './folder-owner.ts';
import { fileOperations } from './testing/file-operations.ts';
import { trainRun } from './train-run.ts';
import type { TrainRunOptions } from './train-run.ts';

vi.mock('node:fs/promises', async (importOriginal) => {
  const { watchFileOperations } = await import('./testing/file-operations.ts');
  return watchFileOperations(await importOriginal());
});
// Whoever is found in the folder here was killed.
vi.mock('./folder-owner.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof owners>()),
  ownerState: () => 'dead',
}));

let root: string;
const openBackend = (): Promise<OpenBackend> =>
  Promise.resolve(Object.assign(referenceBackend(), { close: () => Promise.resolve() }));
const train = (folder: string, options: Partial<TrainRunOptions> = {}): ReturnType<typeof trainRun> =>
  trainRun({ folder, settings: smallRun, resume: true, openBackend, ...options });

/** Every name in a run folder. The number of its manifest grows with each owner. */
const namesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true }))
    .map((name) => name.replace(/^manifest-\d+/, 'manifest'))
    .sort();

/** `whole` is done; `late` has one step left. */
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'flowgrad-killed-'));
  await train(join(root, 'whole'));
  const stop = new AbortController();
  await train(join(root, 'late'), {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.kind === 'step' && event.step === 11) stop.abort();
    },
  });
});
afterAll(() => rm(root, { recursive: true }));

/** Goes on with a copy of `late`, and is killed before an operation after its last step. Gives how many there were. */
async function trainUntil(folder: string, cut: number): Promise<number> {
  await cp(join(root, 'late'), folder, { recursive: true });
  let count = -Infinity;
  const onEvent: TrainRunOptions['onEvent'] = ({ kind }) => {
    if (kind === 'step') count = 0;
  };
  fileOperations.before = () => {
    if (count++ >= cut) throw new Error('killed');
  };
  await train(folder, { onEvent }).catch(() => undefined);
  fileOperations.before = () => undefined;
  return count;
}

it('leaves the same files as one that was left alone, when it is resumed', async () => {
  const names = await namesOf(join(root, 'whole'));
  const operations = await trainUntil(join(root, 'counted'), Infinity);
  expect(operations).toBeGreaterThan(60);
  // The last few are those that let the folder go.
  const cuts = Array.from({ length: operations }, (_, i) => i).filter(
    (i) => i % 16 === 0 || i > operations - 12,
  );
  let untidy = 0;
  for (const cut of cuts) {
    const folder = join(root, `cut-${cut}`);
    await trainUntil(folder, cut);
    if ((await namesOf(folder)).length > names.length) untidy += 1;
    await train(folder);
    expect(await namesOf(folder), `killed at operation ${cut} of ${operations}`).toEqual(names);
    expect((await examineRun(folder)).findings).toEqual([]);
    await rm(folder, { recursive: true });
  }
  expect(untidy).toBeGreaterThan(5);
});
