import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runPart } from './run-part.ts';
import type { Part } from './torture.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flowgrad-torture-'));
});
afterAll(() => rm(folder, { recursive: true }));

const part: Part = {
  name: 'part',
  about: '',
  cases: ({ seed }) =>
    Promise.resolve([
      { name: `good ${seed}`, count: 10, run: () => Promise.resolve() },
      { name: 'bad', run: () => Promise.reject(new Error('a byte is gone')) },
    ]),
};

it('counts cases, names failures and keeps their folders', async () => {
  const plan = { seed: 3, size: 'full', minutes: 1, folder } as const;
  const result = await runPart(part, plan);
  expect(result).toMatchObject({
    cases: 11,
    failures: [{ part: 'part', name: 'bad', problem: 'a byte is gone' }],
  });
  expect((await readdir(join(folder, 'part'))).sort()).toEqual(['1', 'shared']);
});

it('runs only the cases that are asked for', async () => {
  const plan = { seed: 3, size: 'full', minutes: 1, folder: join(folder, 'only') } as const;
  expect(await runPart(part, plan, { only: 'good 3' })).toMatchObject({ cases: 10, failures: [] });
});
