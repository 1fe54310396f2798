/** Runs to be damaged: one that is done, and one that was killed under way. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ended } from '../child.ts';
import { flowgrad } from '../flowgrad.ts';
import { device, reference, trainWords } from '../tiny-run.ts';
import { demand } from '../torture.ts';

/** Commands that read runs and change nothing. */
export const readers: Readonly<Record<string, readonly string[]>> = {
  doctor: ['doctor', 'run'],
  report: ['report', '.', '--json'],
  evaluate: ['evaluate', 'run', ...device, '--json'],
};

export interface Subject {
  readonly state: 'done' | 'under way';
  /** The folder that holds `run`. */
  readonly folder: string;
  /** What each reader says before there is any damage. */
  readonly before: Readonly<Record<string, Ended>>;
}

/** Both, in `shared`. */
export async function subjects(shared: string): Promise<readonly Subject[]> {
  const { folder } = await reference(shared);
  return [await subject('done', folder), await subject('under way', await stopped(shared))];
}

/** A run that was killed between its second and its third epoch. */
async function stopped(shared: string): Promise<string> {
  const { operations } = await reference(shared);
  const folder = join(shared, 'under-way');
  await mkdir(folder);
  const at = operations.find(({ path }) => path.includes('epoch-0003'))?.k;
  demand(at !== undefined, 'expected a snapshot of the third epoch');
  await flowgrad(trainWords(), folder, { disk: { fault: { kind: 'kill', at, how: 'before' } } });
  return folder;
}

async function subject(state: Subject['state'], folder: string): Promise<Subject> {
  const said = await Promise.all(
    Object.entries(readers).map(async ([name, words]) => [name, await flowgrad(words, folder)] as const),
  );
  return { state, folder, before: Object.fromEntries(said) };
}
