/** What is not of the run survives it, and nothing is written where nobody asked for it. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseGroupName } from '@flowgrad/gridworld';
import { command } from '../commands/commands.ts';
import {
  contentsOf,
  copyFolder,
  demandOurWords,
  demandSame,
  device,
  resumeWords,
  trainWords,
} from '../tiny-run.ts';
import type { Contents } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case } from '../torture.ts';
import { comparable, readers } from './subject.ts';
import type { Subject } from './subject.ts';

/** Files of the user's, whose names look like ours. */
const foreign = ['project.old-2023/plan.txt', 'notes.tmp-1.txt', 'snapshots/my-weights.safetensors'];

export function foreignCases(subjects: readonly Subject[], wanted: Contents): Case[] {
  const place = async (folder: string): Promise<void> => {
    for (const path of foreign) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), 'mine');
    }
  };
  const intoRuns = subjects.map((subject): Case => ({
    name: `${subject.state}, foreign files beside`,
    run: async (folder) => {
      const run = join(folder, 'run');
      await copyFolder(join(subject.folder, 'run'), run);
      await place(run);
      for (const words of Object.values(readers)) await command(words, folder);
      const ended = await command(resumeWords(), folder);
      const contents = await contentsOf(run);
      for (const path of foreign) {
        demand(contents.get(path)?.toString() === 'mine', `${path} is gone`);
        await rm(join(run, path.split('/', 1)[0] === 'snapshots' ? path : path.split('/', 1)[0]), {
          recursive: true,
        });
      }
      const got = comparable(await contentsOf(folder), subject);
      if (ended.code === 0) demandSame(got, comparable(wanted, subject));
      else demandOurWords(ended);
    },
  }));
  const intoOther: Case = {
    name: 'a new run into a foreign folder',
    run: async (folder) => {
      await place(join(folder, 'run'));
      const before = await contentsOf(folder);
      const ended = await command(trainWords(), folder);
      demandOurWords(ended);
      demand(
        /notes\.tmp-1\.txt|project\.old-2023|snapshots/.test(ended.stderr),
        () => `said ${ended.stderr}`,
      );
      demandSame(await contentsOf(folder), before);
    },
  };
  const namedUpwards: Case = {
    name: 'a world named ..',
    run: async (folder) => {
      const cwd = join(folder, 'a', 'b');
      await mkdir(cwd, { recursive: true });
      const world = { ...parseGroupName('SINE-SZ4-STP2-NDRP-STD0.2'), name: '..' };
      await writeFile(join(cwd, 'world.json'), JSON.stringify(world));
      await command(
        ['train', '--group', 'world.json', '--model', 'RW-Dynamic', '--epochs', '1', ...device],
        cwd,
      );
      const outside = [...(await contentsOf(folder)).keys()].filter(
        (path) => !/^a\/(b\/(runs\/.*|world\.json)?)?$/.test(path),
      );
      demand(outside.length === 0, () => `it wrote ${outside.join(', ')}`);
    },
  };
  return [...intoRuns, intoOther, namedUpwards];
}
