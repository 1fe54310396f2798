/** Runs to be damaged: one that is done, one that was killed under way, and both as older releases left them. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ended } from '../child.ts';
import { command } from '../commands/commands.ts';
import { flowgrad } from '../flowgrad.ts';
import { copyFolder, device, reference, trainWords } from '../tiny-run.ts';
import type { Contents } from '../tiny-run.ts';
import { demand } from '../torture.ts';

/** Commands that read runs and change nothing. */
export const readers: Readonly<Record<string, readonly string[]>> = {
  doctor: ['doctor', 'run'],
  report: ['report', '.', '--json'],
  evaluate: ['evaluate', 'run', ...device, '--json'],
};

export interface Subject {
  readonly state: 'done' | 'under way' | 'older, done' | 'older, under way';
  readonly isDone: boolean;
  /** As a release without manifests left it: nothing can tell that a number in it is another. */
  readonly isOlder: boolean;
  /** The folder that holds `run`. */
  readonly folder: string;
  /** What each reader says before there is any damage. */
  readonly before: Readonly<Record<string, Ended>>;
}

/** All of them, in `shared`. */
export async function subjects(shared: string): Promise<readonly Subject[]> {
  const { folder: done } = await reference(shared);
  const underWay = await stopped(shared);
  return [
    await subject('done', done),
    await subject('under way', underWay),
    await subject('older, done', await older(done, join(shared, 'older-done'))),
    await subject('older, under way', await older(underWay, join(shared, 'older-under-way'))),
  ];
}

/** What a run has only since there are manifests, by its path in the run folder. */
const isNew = (path: string): boolean =>
  /^(manifest-\d+\.json|lock-\w+|\.tmp-.*|checkpoints\/[^/]*\/metrics\.jsonl)$/.test(path);

/** The same run as older releases left it: with its latest checkpoint alone. */
async function older(from: string, folder: string): Promise<string> {
  const run = join(folder, 'run');
  await copyFolder(join(from, 'run'), run);
  for (const path of await readdir(run, { recursive: true })) if (isNew(path)) await rm(join(run, path));
  const steps = (await readdir(join(run, 'checkpoints'))).sort();
  for (const step of steps.slice(0, -1)) await rm(join(run, 'checkpoints', step), { recursive: true });
  return folder;
}

/** Contents of a folder that holds `run`, without what a run of an older release gets only when it goes on. */
export const comparable = (contents: Contents, { isOlder }: Subject): Contents =>
  isOlder ? new Map([...contents].filter(([path]) => !isNew(path.replace(/^run\//, '')))) : contents;

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
    Object.entries(readers).map(async ([name, words]) => [name, await command(words, folder)] as const),
  );
  return {
    state,
    isDone: state.endsWith('done'),
    isOlder: state.startsWith('older'),
    folder,
    before: Object.fromEntries(said),
  };
}
