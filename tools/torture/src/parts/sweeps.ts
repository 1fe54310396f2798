/** A sweep on a real PostgreSQL: workers are killed and stopped, the server is restarted, and nothing is lost or counted twice. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cuttableLine } from '@flowgrad/postgres-tool';
import type { Child } from '../child.ts';
import { randomFrom } from '../random.ts';
import { demandOk, seeds, startProgram, tiny, trainedAlone, withSweep } from '../sweep/with-sweep.ts';
import { contentsOf, demandOurWords, demandSame } from '../tiny-run.ts';
import { demand } from '../torture.ts';
import type { Case, Part } from '../torture.ts';

/** Runs of a few epochs, and as many of `long` epochs, which are saved several times on their way. */
interface Size {
  readonly short: number;
  readonly long: number;
  readonly workers: number;
  readonly kills: number;
}

const sizes: Readonly<Record<'full' | 'sample', Size>> = {
  full: { short: 150, long: 50, workers: 4, kills: 40 },
  sample: { short: 4, long: 4, workers: 2, kills: 3 },
};
/** The same for experiments that share a folder. */
const sharing: Size = { short: 20, long: 20, workers: 3, kills: 30 };
const gridOf = ({ short, long }: Pick<Size, 'short' | 'long'>): object[] => [
  { ...tiny, seeds: seeds(short), epochs: 4 },
  { ...tiny, seeds: seeds(long), epochs: 14 },
];
const heartbeat = 10;

export const sweeps: Part = {
  name: 'sweeps',
  about:
    'a sweep on PostgreSQL: workers are killed, stopped, cut off, without a disk; experiments that share a folder',
  cases: async ({ seed, size }) => [
    killsCase(seed, sizes[size]),
    stoppedCase(),
    // Tests of the command line have a small one of those.
    ...(size === 'full' ? [experimentsCase(seed, sharing), cutCase()] : []),
    // Where this user may not mount anything it is left out, and the table shows fewer cases.
    ...(size === 'full' && (await canMount()) ? [fullDiskCase()] : []),
  ],
};

/** Workers are killed at random moments, with the server restarted once in the middle. */
function killsCase(seed: number, { short, long, workers: count, kills }: Size): Case {
  return {
    name: `${short + long} runs, ${count} workers, ${kills} kills, 1 restart`,
    run: (folder) =>
      withSweep(folder, { grid: gridOf({ short, long }), heartbeat }, async (sweep) => {
        const random = randomFrom(seed, 'sweeps');
        const workers = Array.from({ length: count }, () => sweep.work());
        let killed = 0;
        while (killed < kills && (await sweep.left()) > 0) {
          await wait(300 + random.below(3000));
          const i = random.below(count);
          workers[i].process.kill('SIGKILL');
          await workers[i].ended;
          workers[i] = sweep.work();
          killed += 1;
          if (killed === Math.ceil(kills / 2)) {
            await sweep.server.stop();
            await wait(1000 + random.below(3000));
            await sweep.server.start();
          }
        }
        demand(killed === kills, () => `the sweep was done after ${killed} of ${kills} kills`);
        for (const worker of workers) {
          const { code, stderr } = await worker.ended;
          demand(code === 0, () => `a worker ended with ${code}: ${stderr}`);
        }
        await sweep.demandAllDoneOnce();
      }),
  };
}

/** A worker and its training sleep for longer than the heartbeat, and wake up when another has the run. */
function stoppedCase(): Case {
  return {
    name: 'stopped past the heartbeat, and continued',
    run: (folder) =>
      withSweep(folder, { grid: [{ ...tiny, seeds: [1], epochs: 60 }], heartbeat }, async (sweep) => {
        const first = sweep.work();
        while ((await sweep.epochs()) < 1) await wait(100);
        const pids = [first.process.pid!, ...(await childrenOf(first.process.pid!))];
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        const second = sweep.work();
        while ((await sweep.attempts()) < 2) {
          demand((await sweep.left()) > 0, 'the run was done before its worker was stopped');
          await wait(200);
        }
        for (const pid of pids.reverse()) process.kill(pid, 'SIGCONT');
        const { stderr } = await first.ended;
        demand(/^lost: /m.test(stderr), () => `the first worker did not notice: ${stderr}`);
        const { code, stderr: said } = await second.ended;
        demand(code === 0 && said.includes('done: '), () => `the second worker ended with ${code}: ${said}`);
        await sweep.demandAllDoneOnce();
      }),
  };
}

/** Experiments in one folder are killed at random moments, the one that has the store open among them. */
function experimentsCase(seed: number, { short, long, workers: count, kills }: Size): Case {
  return {
    name: `${short + long} runs, ${count} experiments in one folder, ${kills} kills`,
    run: async (folder) => {
      const random = randomFrom(seed, 'experiments');
      const grid = gridOf({ short, long });
      await writeFile(join(folder, 'grid.json'), JSON.stringify(grid));
      const words = ['experiment', 'grid.json', '--device', 'wasm', '--jobs', '1', '--threads', '1'];
      const begin = (): Child => startProgram(words, { cwd: folder });
      const all = Array.from({ length: count }, begin);
      try {
        for (let killed = 0; killed < kills; killed++) {
          await wait(1500 + random.below(4000));
          const i = random.below(count);
          all[i].process.kill('SIGKILL');
          await all[i].ended;
          all[i] = begin();
        }
        for (const child of all) await demandOk(child);
        // Nothing was left to do for it, and nothing fails: the store survived.
        await demandOk(startProgram(['sweep', 'fetch', '--out', 'fetched'], { cwd: folder }));
        demandSame(
          await contentsOf(join(folder, 'fetched')),
          await contentsOf(await trainedAlone(folder, grid)),
        );
      } finally {
        for (const child of all) child.process.kill('SIGKILL');
      }
    },
  };
}

/** A file system of a hundred kilobytes for a command, in a namespace of its own. */
const smallDisk = (place: string): string[] => [
  ...['unshare', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--mount', 'sh', '-c'],
  `mount -t tmpfs -o size=100k flowgrad '${place}' && exec "$0" "$@"`,
];

async function canMount(): Promise<boolean> {
  const [name, ...words] = smallDisk(tmpdir());
  return promisify(execFile)(name, [...words, 'true']).then(
    () => true,
    () => false,
  );
}

/** The disk of a worker is full: it gives the run back and ends, and a worker with room goes on. */
function fullDiskCase(): Case {
  return {
    name: 'a worker without room',
    run: (folder) =>
      withSweep(folder, { grid: [{ ...tiny, seeds: [1, 2], epochs: 14 }], heartbeat }, async (sweep) => {
        const small = join(folder, 'small');
        await mkdir(small);
        const ended = await sweep.work({ by: smallDisk(small), env: { TMPDIR: small } }).ended;
        demandOurWords(ended);
        demand(/room on the disk.*ENOSPC/.test(ended.stderr), () => `said ${ended.stderr}`);
        demand((await sweep.attempts()) === 1, 'it went on with the other run');
        demand((await sweep.failures()) === 0, 'the run counts as failed');
        await demandOk(sweep.work());
        await sweep.demandAllDoneOnce();
      }),
  };
}

/** The connection of a worker is cut for a minute, which is half of the usual heartbeat: it costs nothing. */
function cutCase(): Case {
  return {
    name: 'cut off for a minute',
    run: (folder) =>
      withSweep(
        folder,
        { grid: [{ ...tiny, seeds: [1, 2], epochs: 900 }], heartbeat: 120 },
        async (sweep) => {
          const line = await cuttableLine(sweep.server.port);
          const store = sweep.server.url.replace(`:${sweep.server.port}/`, `:${line.port}/`);
          const worker = sweep.work({ env: { FLOWGRAD_STORE: store } });
          while ((await sweep.epochs()) < 2) await wait(100);
          await line.cut();
          // Another one, which is not cut off, has the other run, and finds nothing that was left.
          const other = sweep.work();
          await wait(60_000);
          await line.mend();
          for (const each of [worker, other]) await demandOk(each);
          const { stderr } = await worker.ended;
          demand(/^store: /m.test(stderr) && !/^lost: /m.test(stderr), () => `it said ${stderr}`);
          demand((await sweep.attempts()) === 2, 'a run was taken from a worker that was there');
          await sweep.demandAllDoneOnce();
          await line.cut();
        },
      ),
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
