/**
 * Every file and folder of a run, under way and done, damaged in every way; then every command that reads runs. Each
 * either says what is wrong with which file, or gives the very numbers that it gave before.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Ended } from '../child.ts';
import type { Operation } from '../disk/faulty-disk.js';
import { flowgrad, readLog } from '../flowgrad.ts';
import { randomFrom } from '../random.ts';
import {
  contentsOf,
  copyFolder,
  demandOurWords,
  demandRecovery,
  demandSame,
  device,
  differences,
  reference,
  resumeWords,
  trainWords,
} from '../tiny-run.ts';
import type { Contents } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';
import { folderWays, ways } from './ways.ts';
import type { Way } from './ways.ts';

const atMost = { full: Infinity, sample: 8 };
/** A process that reads a file of 1.5 GiB as a whole has more. */
const mostMegabytes = 700;

const readers: Readonly<Record<string, readonly string[]>> = {
  doctor: ['doctor', 'run'],
  report: ['report', '.', '--json'],
  evaluate: ['evaluate', 'run', ...device, '--json'],
};

interface Subject {
  readonly state: 'done' | 'under way';
  /** The folder that holds `run`. */
  readonly folder: string;
  /** What each reader says before there is any damage. */
  readonly before: Readonly<Record<string, Ended>>;
}

export const damage: Part = {
  name: 'damage',
  about: 'every file of a run × every way of damage × doctor, report, evaluate, train --resume',
  cases: async ({ seed, size, folder }) => {
    const { contents: wanted, folder: whole, operations } = await reference(folder);
    const done = await subject('done', whole);
    const underWay = await subject('under way', await stopped(join(folder, 'under-way'), operations));
    const cases: Case[] = [];
    for (const each of [done, underWay]) {
      for (const [path, content] of await contentsOf(join(each.folder, 'run'))) {
        for (const way of content === 'folder' ? folderWays : ways) {
          if (way.of && !way.of.test(basename(path))) continue;
          cases.push(damagedCase(each, path.replace(/\/$/, ''), way, seed, wanted));
        }
      }
    }
    const chosen = randomFrom(seed, 'damage').some(cases, atMost[size]);
    return [...chosen, ...foreignCases([done, underWay], wanted)];
  },
};

/** A run that was killed between its second and its third epoch. */
async function stopped(folder: string, operations: readonly Operation[]): Promise<string> {
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

function damagedCase(of: Subject, path: string, way: Way, seed: number, wanted: Contents): Case {
  const name = `${of.state}, ${path} ${way.name}`;
  return {
    name,
    run: async (folder) => {
      await copyFolder(join(of.folder, 'run'), join(folder, 'run'));
      const whole = await contentsOf(folder);
      await way.damage(join(folder, 'run', path), randomFrom(seed, name));
      const damaged = way.name === 'huge' ? undefined : await contentsOf(folder);
      const problems: string[] = [];
      const judge = async (command: string, check: () => void | Promise<void>): Promise<void> => {
        await Promise.resolve()
          .then(check)
          .catch((error: unknown) => problems.push(`${command}: ${(error as Error).message.trim()}`));
      };
      for (const [command, words] of Object.entries(readers)) {
        const ended = await watched(words, folder);
        await judge(command, () => demandHonesty(ended, of.before[command], path));
        if (damaged) {
          await judge(command, async () => demandSame(await contentsOf(folder), damaged));
        }
      }
      const ended = await watched(resumeWords(), folder);
      await judge('train', async () => {
        if (ended.code === 0) {
          await demandNoOtherNumbers(folder, path, wanted);
          return;
        }
        demandOurWords(ended);
        demandNamed(ended, path);
        // Nothing else was touched: with the file back in place the run goes on.
        await rm(join(folder, 'run'), { recursive: true });
        await copyFolder(join(of.folder, 'run'), join(folder, 'run'));
        demandSame(await contentsOf(folder), whole);
        await demandRecovery(folder, wanted);
      });
      demand(problems.length === 0, problems.join('; '));
    },
  };
}

/**
 * Every number is that of the run left alone. A damaged file that nobody needed, such as a snapshot of an epoch that is
 * not the best, may stay as it is if doctor names it.
 */
async function demandNoOtherNumbers(folder: string, path: string, wanted: Contents): Promise<void> {
  const found = differences(await contentsOf(folder), wanted);
  if (found.length === 0) return;
  const isElsewhere = (difference: string): boolean => !difference.startsWith(`run/${path}`);
  demand(!found.some(isElsewhere), () => found.join(', '));
  const doctor = await flowgrad(readers['doctor'], folder);
  demand(doctor.code !== 0, () => `${found.join(', ')}, and doctor is content`);
  demandNamed(doctor, path);
}

/** Says the same numbers as before the damage, or names the file. */
function demandHonesty(got: Ended, before: Ended, path: string): void {
  if (got.code === before.code && got.stdout === before.stdout) return;
  demand(got.code !== 0, () => `other numbers in silence: ${got.stdout.slice(0, 200)}`);
  demandOurWords(got);
  demandNamed(got, path);
}

function demandNamed({ stderr, stdout }: Ended, path: string): void {
  const names = path.split('/').reverse();
  demand(
    names.some((name) => `${stderr}${stdout}`.includes(name)),
    () => `expected ${path} to be named, got ${stderr.trim()}`,
  );
}

/** A command that may not take much memory. */
async function watched(words: readonly string[], folder: string): Promise<Ended> {
  const log = `${folder}.log`;
  const ended = await flowgrad(words, folder, { disk: { fault: { kind: 'none' }, log } });
  const { megabytes = 0 } = await readLog(log);
  await rm(log);
  const isModest = megabytes < mostMegabytes;
  return isModest ? ended : { ...ended, code: null, stderr: `it took ${megabytes.toFixed(0)} MB` };
}

/** Files of the user's, whose names look like ours. */
const foreign = ['project.old-2023/plan.txt', 'notes.tmp-1.txt', 'snapshots/my-weights.safetensors'];

function foreignCases(subjects: readonly Subject[], wanted: Contents): Case[] {
  const place = async (folder: string): Promise<void> => {
    for (const path of foreign) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), 'mine');
    }
  };
  const intoRuns = subjects.map(({ state, folder: from }): Case => ({
    name: `${state}, foreign files beside`,
    run: async (folder) => {
      const run = join(folder, 'run');
      await copyFolder(join(from, 'run'), run);
      await place(run);
      for (const words of Object.values(readers)) await flowgrad(words, folder);
      const ended = await flowgrad(resumeWords(), folder);
      const contents = await contentsOf(run);
      for (const path of foreign) {
        demand(contents.get(path)?.toString() === 'mine', `${path} is gone`);
        await rm(join(run, path.split('/', 1)[0] === 'snapshots' ? path : path.split('/', 1)[0]), {
          recursive: true,
        });
      }
      if (ended.code === 0) demandSame(await contentsOf(folder), wanted);
      else demandOurWords(ended);
    },
  }));
  const intoOther: Case = {
    name: 'a new run into a foreign folder',
    run: async (folder) => {
      await place(join(folder, 'run'));
      const before = await contentsOf(folder);
      const ended = await flowgrad(trainWords(), folder);
      demandOurWords(ended);
      demand(
        /notes\.tmp-1\.txt|project\.old-2023|snapshots/.test(ended.stderr),
        () => `said ${ended.stderr}`,
      );
      demandSame(await contentsOf(folder), before);
    },
  };
  return [...intoRuns, intoOther];
}
