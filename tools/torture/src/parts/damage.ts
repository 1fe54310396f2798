/**
 * Every file and folder of a run, under way and done, damaged in every way; then every command that reads runs. Each
 * either says what is wrong with which file, or gives the very numbers that it gave before.
 */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Ended } from '../child.ts';
import { command } from '../commands/commands.ts';
import { randomFrom } from '../random.ts';
import {
  contentsOf,
  copyFolder,
  demandOurWords,
  demandSame,
  differences,
  reference,
  resumeWords,
} from '../tiny-run.ts';
import type { Contents } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';
import { foreignCases } from './foreign-files.ts';
import { comparable, readers, subjects } from './subject.ts';
import type { Subject } from './subject.ts';
import { unreadableCases } from './unreadable.ts';
import { folderWays, ways } from './ways.ts';
import type { Way } from './ways.ts';

const atMost = { full: Infinity, sample: 4 };
/** Who reads a file of 1.5 GiB as a whole takes more. */
const mostMebibytes = 500;

export const damage: Part = {
  name: 'damage',
  about: 'every file of a run × every way of damage × doctor, report, evaluate, train --resume',
  cases: async ({ seed, size, folder }) => {
    const { contents: wanted } = await reference(folder);
    const runs = await subjects(folder);
    const cases: Case[] = [];
    for (const each of runs) {
      for (const [path, content] of await contentsOf(join(each.folder, 'run'))) {
        for (const way of content === 'folder' ? folderWays : ways) {
          if (way.of && !way.of.test(basename(path))) continue;
          if (each.isOlder && way.isPlausibleIn?.test(basename(path))) continue;
          cases.push(damagedCase(each, path.replace(/\/$/, ''), way, seed, wanted));
        }
      }
    }
    for (const each of runs) cases.push(...(await unreadableCases(each, wanted)));
    // The one for which epochs were lost, also in a sample.
    const always = cases.filter(({ name }) => /^older, under way, run\/checkpoints cannot/.test(name));
    const chosen = randomFrom(seed, 'damage').some(cases, atMost[size]);
    return [...new Set([...always, ...chosen]), ...foreignCases(runs, wanted)];
  },
};

function damagedCase(of: Subject, path: string, way: Way, seed: number, wanted: Contents): Case {
  // A token in a name is another each time.
  const name = `${of.state}, ${path.replace(/[0-9a-f]{16,}/, '…')} ${way.name}`;
  return {
    name,
    run: async (folder) => {
      await copyFolder(join(of.folder, 'run'), join(folder, 'run'));
      const whole = await contentsOf(folder);
      await way.damage(join(folder, 'run', path), randomFrom(seed, name));
      const damaged = await contentsOf(folder);
      const problems: string[] = [];
      const judge = async (name: string, check: () => void | Promise<void>): Promise<void> => {
        await Promise.resolve()
          .then(check)
          .catch((error: unknown) => problems.push(`${name}: ${(error as Error).message.trim()}`));
      };
      const said = new Map<string, Ended>();
      for (const [name, words] of Object.entries(readers)) {
        const ended = await watched(words, folder);
        said.set(name, ended);
        await judge(name, () => demandHonesty(ended, of.before[name], path));
        await judge(name, async () => demandSame(await contentsOf(folder), damaged));
      }
      const ended = await watched(resumeWords(), folder);
      await judge('train', async () => {
        if (ended.code === 0) {
          await demandNoOtherNumbers(folder, path, of, wanted);
          // What doctor objected to is not passed over in silence.
          if (!of.isDone && said.get('doctor')?.code !== 0) demandNamed({ ...ended, stdout: '' }, path);
          return;
        }
        demandOurWords(ended);
        demandNamed(ended, path);
        await demandWayOut(ended, folder, of, wanted);
        // Nothing else was touched: with the file back in place the run goes on.
        await rm(join(folder, 'run'), { recursive: true });
        await copyFolder(join(of.folder, 'run'), join(folder, 'run'));
        demandSame(await contentsOf(folder), whole);
        await demandWanted(folder, of, wanted, resumeWords());
      });
      demand(problems.length === 0, problems.join('; '));
    },
  };
}

/** A command ends well, and then all is as if nothing had been. */
async function demandWanted(
  folder: string,
  of: Subject,
  wanted: Contents,
  words: readonly string[],
): Promise<void> {
  const ended = await command(words, folder);
  demand(ended.code === 0, () => `${words.slice(-2).join(' ')} ended with ${ended.code}: ${ended.stderr}`);
  demandSame(comparable(await contentsOf(folder), of), comparable(wanted, of));
}

/**
 * Every number is that of the run left alone. A damaged file that nobody needed, such as a snapshot of an epoch that is
 * not the best, may stay as it is if doctor names it.
 */
async function demandNoOtherNumbers(
  folder: string,
  path: string,
  of: Subject,
  wanted: Contents,
): Promise<void> {
  const differing = differences(comparable(await contentsOf(folder), of), comparable(wanted, of));
  // Runs of older releases were kept without whatever is not needed any more: results/ has such.
  const found = differing.filter((each) => !(of.isOlder && of.isDone && isAbsence(each)));
  if (found.length === 0) return;
  const isElsewhere = (difference: string): boolean => !difference.startsWith(`run/${path}`);
  demand(!found.some(isElsewhere), () => found.join(', '));
  const doctor = await command(readers['doctor'], folder);
  demand(doctor.code !== 0, () => `${found.join(', ')}, and doctor is content`);
  demandNamed(doctor, path);
}

const isAbsence = (difference: string): boolean =>
  /^run\/(attention\.json|environment\.json|(checkpoints|snapshots)\/.*) is missing$/.test(difference);

/** If the error offers to go on from an earlier epoch, that gives the numbers of the run left alone. */
async function demandWayOut({ stderr }: Ended, folder: string, of: Subject, wanted: Contents): Promise<void> {
  const epoch = /--from-epoch (\d+)/.exec(stderr)?.[1];
  if (epoch !== undefined) await demandWanted(folder, of, wanted, [...resumeWords(), '--from-epoch', epoch]);
}

/** Says the same numbers as before the damage, or names the file. */
function demandHonesty(got: Ended, before: Ended, path: string): void {
  if (got.code === before.code && got.stdout === before.stdout) return;
  demand(got.code !== 0, () => `other numbers in silence: ${got.stdout.slice(0, 200)}`);
  demandOurWords(got);
  demandNamed(got, path);
}

function demandNamed({ stderr, stdout }: Ended, path: string): void {
  // Of a manifest that is gone nobody can tell the number.
  const names = path.split('/').map((name) => name.replace(/^manifest-\d+\.json$/, 'manifest'));
  demand(
    names.some((name) => `${stderr}${stdout}`.includes(name)),
    () => `expected ${path} to be named, got ${stderr.trim()}`,
  );
}

/** A command that may not take much memory. */
async function watched(words: readonly string[], folder: string): Promise<Ended> {
  const { mebibytes, ...ended } = await command(words, folder);
  const isModest = mebibytes < mostMebibytes;
  return isModest ? ended : { ...ended, code: null, stderr: `it took ${mebibytes.toFixed(0)} MiB` };
}
