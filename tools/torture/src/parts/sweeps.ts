/** A sweep on a real PostgreSQL: workers are killed and stopped, the server is restarted, and nothing is lost or counted twice. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres } from '@flowgrad/postgres-tool';
import type { PostgresServer } from '@flowgrad/postgres-tool';
import { openStore } from '@flowgrad/sweeps';
import type { Store } from '@flowgrad/sweeps';
import { startChild } from '../child.ts';
import type { Child } from '../child.ts';
import { command } from '../commands/commands.ts';
import { program } from '../flowgrad.ts';
import { randomFrom } from '../random.ts';
import { contentsOf, demandSame } from '../tiny-run.ts';
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
const heartbeat = 10;
const tiny = {
  groups: ['SINE-SZ5-STP3-NDRP-STD0.3'],
  models: ['GGNN-MulMlp'],
  options: { d: 4 },
  batch: 8,
  learningRates: [0.02, 0.01],
};
const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

export const sweeps: Part = {
  name: 'sweeps',
  about: 'a sweep on PostgreSQL: workers are killed and stopped, the server is restarted',
  cases: async ({ seed, size }) => [killsCase(seed, sizes[size]), stoppedCase()],
};

/** Workers are killed at random moments, with the server restarted once in the middle. */
function killsCase(seed: number, { short, long, workers: count, kills }: Size): Case {
  return {
    name: `${short + long} runs, ${count} workers, ${kills} kills, 1 restart`,
    run: (folder) =>
      withSweep(
        folder,
        [
          { ...tiny, seeds: seeds(short), epochs: 4 },
          { ...tiny, seeds: seeds(long), epochs: 14 },
        ],
        async (sweep) => {
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
        },
      ),
  };
}

/** A worker and its training sleep for longer than the heartbeat, and wake up when another has the run. */
function stoppedCase(): Case {
  return {
    name: 'stopped past the heartbeat, and continued',
    run: (folder) =>
      withSweep(folder, [{ ...tiny, seeds: [1], epochs: 60 }], async (sweep) => {
        const first = sweep.work();
        while ((await sweep.epochs()) < 2) await wait(100);
        const pids = [first.process.pid!, ...(await childrenOf(first.process.pid!))];
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        const second = sweep.work();
        while ((await sweep.attempts()) < 2) await wait(200);
        for (const pid of pids.reverse()) process.kill(pid, 'SIGCONT');
        const { stderr } = await first.ended;
        demand(/^lost: /m.test(stderr), () => `the first worker did not notice: ${stderr}`);
        const { code, stderr: said } = await second.ended;
        demand(code === 0 && said.includes('done: '), () => `the second worker ended with ${code}: ${said}`);
        await sweep.demandAllDoneOnce();
      }),
  };
}

interface Sweep {
  readonly server: PostgresServer;
  /** Starts a worker. */
  work(): Child;
  left(): Promise<number>;
  /** Of all runs, as far as they are in the store. */
  epochs(): Promise<number>;
  attempts(): Promise<number>;
  /** Every run is done, by one attempt, and its files are those of a run that nobody attacked. */
  demandAllDoneOnce(): Promise<void>;
}

async function withSweep(
  folder: string,
  grid: readonly object[],
  work: (sweep: Sweep) => Promise<void>,
): Promise<void> {
  const server = await startPostgres();
  const env = { FLOWGRAD_STORE: server.url };
  const run = (...words: readonly string[]): Child =>
    startChild([process.execPath, program, ...words], { cwd: folder, env, seconds: 600 });
  const demandOk = async (child: Child): Promise<void> => {
    const { code, stderr } = await child.ended;
    demand(code === 0, () => `ended with ${code}: ${stderr}`);
  };
  let store: Store | undefined;
  const children: Child[] = [];
  try {
    await writeFile(join(folder, 'grid.json'), JSON.stringify(grid));
    await demandOk(run('sweep', 'add', 'grid.json', '--heartbeat', String(heartbeat)));
    const { database } = (store = await openStore(server.url));
    const number = async (sql: string): Promise<number> => {
      // The server may be away for a moment.
      const rows = await database.query<{ n: number }>(`select (${sql})::int as n`).catch(() => [{ n: 1 }]);
      return rows[0].n;
    };
    await work({
      server,
      work: () => {
        const child = run('sweep', 'work', '--device', 'wasm', '--jobs', '1', '--threads', '1');
        children.push(child);
        return child;
      },
      left: () => number(`select count(*) from flowgrad.runs where state <> 'done'`),
      epochs: () => number('select sum(epoch) from flowgrad.runs'),
      attempts: () => number('select count(*) from flowgrad.attempts'),
      demandAllDoneOnce: async () => {
        const odd = await database.query(
          `select id, state, (select count(*) from flowgrad.attempts where run = id and outcome = 'done')::int as done
           from flowgrad.runs where state <> 'done'
             or (select count(*) from flowgrad.attempts where run = id and outcome = 'done') <> 1`,
        );
        demand(odd.length === 0, () => `not done once: ${JSON.stringify(odd.slice(0, 5))}`);
        await demandOk(run('sweep', 'fetch', '--out', 'fetched'));
        demandSame(
          await contentsOf(join(folder, 'fetched')),
          await contentsOf(await trainedAlone(folder, grid)),
        );
      },
    });
  } finally {
    for (const child of children) child.process.kill('SIGKILL');
    await store?.close().catch(() => undefined);
    await server.remove();
  }
}

/** The same runs, each by `train` in a row: in processes that are used again, since nobody attacks them. */
async function trainedAlone(folder: string, grid: readonly object[]): Promise<string> {
  const alone = join(folder, 'alone');
  await mkdir(alone);
  const list = grid.flatMap((each) => {
    const {
      seeds: all,
      groups,
      models,
      ...rest
    } = each as typeof tiny & { readonly seeds: readonly number[] };
    return all.map((seed) => ({ group: groups[0], model: models[0], seed, ...rest }));
  });
  const next = list.values();
  const trainer = async (): Promise<void> => {
    for (const settings of next) {
      const words = ['train', '--settings', JSON.stringify(settings), '--device', 'wasm', '--threads', '1'];
      const { code, stderr } = await command(words, alone);
      demand(code === 0, () => `training alone ended with ${code}: ${stderr}`);
    }
  };
  await Promise.all([trainer(), trainer()]);
  return join(alone, 'runs');
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}
