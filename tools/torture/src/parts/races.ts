/** Several processes and one run folder: one of them trains, the others say so and leave nothing behind. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Child, Ended } from '../child.ts';
import type { Operation } from '../disk/faulty-disk.js';
import { flowgrad, startFlowgrad } from '../flowgrad.ts';
import type { StartOptions } from '../flowgrad.ts';
import { randomFrom } from '../random.ts';
import type { Random } from '../random.ts';
import { contentsOf, demandOurWords, demandSame, reference, resumeWords, trainWords } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

const counts = {
  full: { starters: 45, resumers: 25, stale: 40, namespaces: 8, stopped: 8 },
  sample: { starters: 1, resumers: 1, stale: 1, namespaces: 0, stopped: 0 },
};

/** A namespace of process numbers, as a container has: Node is its second process in each. */
const namespace = [
  'unshare',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  'sh',
  '-c',
  '"$0" "$@"; exit $?',
];

export const races: Part = {
  name: 'races',
  about: 'starters, resumers and stale locks in one folder, with pauses; same process ids; stopped holders',
  cases: async ({ seed, size, folder }) => {
    const random = randomFrom(seed, 'races');
    const { operations } = await reference(folder);
    const list = <T>(count: number, make: (i: number) => T): T[] =>
      Array.from({ length: count }, (_, i) => make(i));
    const { starters, resumers, stale, namespaces, stopped } = counts[size];
    const moment = (): number => 1 + random.below(operations.length);
    const canUnshare = await promisify(execFile)(namespace[0], [...namespace.slice(1), 'true']).then(
      () => true,
      () => false,
    );
    return [
      ...list(starters, (i) => startersCase(i, random, folder)),
      ...list(resumers, (i) => resumersCase(`resumers ${i}`, random, folder)),
      ...list(stale, (i) => resumersCase(`stale lock ${i}`, random, folder, { killedAt: moment() })),
      // Where this user may not make namespaces these are left out, and the table shows fewer cases.
      ...list(canUnshare ? namespaces : 0, (i) =>
        resumersCase(`same process id ${i}`, random, folder, {
          by: namespace,
          killedAt: i % 2 ? moment() : 0,
        }),
      ),
      ...list(canUnshare ? stopped : 0, (i) =>
        stoppedCase(i, random.pick(commitMoments(operations, i)).k, folder),
      ),
    ];
  },
};

/** Before it writes anything, before and in the middle of taking the next number, and when it has it. */
const stepsOfCommit: readonly ((operation: Operation) => boolean)[] = [
  ({ name, path }) => name === 'open' && path.includes('.tmp-'),
  ({ name, path, writes }) => name === 'open' && writes && /manifest-\d+\.json$/.test(path),
  ({ name, path }) => name === 'writeFile' && /manifest-\d+\.json$/.test(path),
  ({ name }) => name === 'rename',
];

/** Moments of one kind, after the folder was claimed and before it is let go. */
const commitMoments = (operations: readonly Operation[], i: number): Operation[] =>
  operations
    .slice(operations.length >> 2, -(operations.length >> 4))
    .filter(stepsOfCommit[i % stepsOfCommit.length]);

const pause = (random: Random): StartOptions => ({
  disk: { fault: { kind: 'pause', seed: random.below(2 ** 32), most: random.pick([0, 3, 20]) } },
});

/** Processes of other settings each. */
function startersCase(i: number, random: Random, shared: string): Case {
  const pauses = Array.from({ length: 2 + random.below(3) }, () => pause(random));
  return {
    name: `starters ${i}`,
    run: async (folder) => {
      const all = await Promise.all(pauses.map((options, n) => flowgrad(trainWords(n + 1), folder, options)));
      const winners = all.flatMap(({ code }, n) => (code === 0 ? [n] : []));
      demand(
        winners.length === 1,
        () => `${winners.length} won: ${all.map(({ stderr }) => stderr).join('; ')}`,
      );
      demandOneTrained(all);
      for (const [n, ended] of all.entries()) if (n !== winners[0]) demandOurWords(ended);
      demandSame(await contentsOf(folder), (await reference(shared, winners[0] + 1)).contents);
    },
  };
}

/** Processes that all would go on with one run, new or left behind by a process that was killed. */
function resumersCase(
  name: string,
  random: Random,
  shared: string,
  { killedAt = 0, by = [] as readonly string[] } = {},
): Case {
  const pauses = Array.from({ length: 2 + random.below(2) }, () => ({ ...pause(random), by }));
  return {
    name: killedAt === 0 ? name : `${name}, killed at operation ${killedAt}`,
    run: async (folder) => {
      if (killedAt > 0) {
        await flowgrad(trainWords(), folder, {
          disk: { fault: { kind: 'kill', at: killedAt, how: 'before' } },
          by,
        });
      }
      const all = await Promise.all(pauses.map((options) => flowgrad(resumeWords(), folder, options)));
      demand(
        all.some(({ code }) => code === 0),
        () => `nobody won: ${all.map(({ stderr }) => stderr).join('; ')}`,
      );
      demandOneTrained(all);
      for (const ended of all) if (ended.code !== 0) demandOurWords(ended);
      demandSame(await contentsOf(folder), (await reference(shared)).contents);
    },
  };
}

/** Nobody is killed or stopped here: whoever begins to train comes to the end, and nobody loses the folder. */
function demandOneTrained(all: readonly Ended[]): void {
  const robbed = all.find(({ stderr }) => stderr.includes('taken it over'));
  demand(robbed === undefined, () => `a process at work lost the folder: ${robbed?.stderr}`);
  const trained = all.filter(({ stderr }) => stderr.includes('Training ')).length;
  demand(trained <= 1, () => `${trained} trained in one folder`);
}

/** A process that sleeps for longer than others can wait for it, as on a machine that was suspended. */
function stoppedCase(i: number, at: number, shared: string): Case {
  return {
    name: `stopped ${i}, at operation ${at}`,
    run: async (folder) => {
      const holder = startFlowgrad(trainWords(), folder, {
        by: namespace,
        disk: { fault: { kind: 'stop', at } },
      });
      const pid = await stoppedBelow(holder);
      try {
        const other = await flowgrad(resumeWords(), folder);
        demand(other.code === 0, () => `nobody took it over: ${other.stderr}`);
        const { contents: wanted } = await reference(shared);
        demandSame(await contentsOf(folder), wanted);
        process.kill(pid, 'SIGCONT');
        demandOurWords(await holder.ended);
        demandSame(await contentsOf(folder), wanted);
      } finally {
        holder.process.kill('SIGKILL');
      }
    },
  };
}

/** The process below another that was stopped, as soon as it is. */
async function stoppedBelow(holder: Child): Promise<number> {
  let hasEnded = false;
  void holder.ended.finally(() => (hasEnded = true));
  while (!hasEnded) {
    await wait(50);
    let last = holder.process.pid ?? 0;
    for (;;) {
      const children = await readFile(`/proc/${last}/task/${last}/children`, 'utf8').catch(() => '');
      if (children.trim() === '') break;
      last = Number(children.trim().split(' ')[0]);
    }
    const state = await readFile(`/proc/${last}/stat`, 'latin1').catch(() => '');
    if (/\) T /.test(state)) return last;
  }
  throw new Error('expected the holder to stop, but it went on');
}
