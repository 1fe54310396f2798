/** A sweep on a real PostgreSQL that a case may attack, and what must hold in the end. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@flowgrad/postgres-tool';
import type { PostgresServer } from '@flowgrad/postgres-tool';
import { openStore } from '@flowgrad/sweeps';
import type { Store } from '@flowgrad/sweeps';
import { startChild } from '../child.ts';
import type { Child } from '../child.ts';
import { command } from '../commands/commands.ts';
import { program } from '../flowgrad.ts';
import { contentsOf, demandSame } from '../tiny-run.ts';
import { demand } from '../torture.ts';

/** The runs of a grid, but for their seeds and epochs. */
export const tiny = {
  groups: ['SINE-SZ5-STP3-NDRP-STD0.3'],
  models: ['GGNN-MulMlp'],
  options: { d: 4 },
  batch: 8,
  learningRates: [0.02, 0.01],
};
export const seeds = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

/** The program in a folder. */
export const startProgram = (
  words: readonly string[],
  { cwd, env = {}, by = [] }: { cwd: string; env?: Readonly<Record<string, string>>; by?: readonly string[] },
): Child => startChild([...by, process.execPath, program, ...words], { cwd, env, seconds: 600 });

export async function demandOk(child: Child): Promise<void> {
  const { code, stderr } = await child.ended;
  demand(code === 0, () => `ended with ${code}: ${stderr}`);
}

export interface Sweep {
  readonly server: PostgresServer;
  /** Starts a worker, by another command, and with another environment if need be. */
  work(more?: { readonly by?: readonly string[]; readonly env?: Readonly<Record<string, string>> }): Child;
  left(): Promise<number>;
  /** Of all runs, as far as they are in the store. */
  epochs(): Promise<number>;
  attempts(): Promise<number>;
  failures(): Promise<number>;
  /** Every run is done, by one attempt, and its files are those of a run that nobody attacked. */
  demandAllDoneOnce(): Promise<void>;
}

export async function withSweep(
  folder: string,
  { grid, heartbeat }: { readonly grid: readonly object[]; readonly heartbeat: number },
  work: (sweep: Sweep) => Promise<void>,
): Promise<void> {
  const server = await startPostgres();
  const env = { FLOWGRAD_STORE: server.url };
  const run = (...words: readonly string[]): Child => startProgram(words, { cwd: folder, env });
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
      work: ({ by = [], env: more } = {}) => {
        const words = ['sweep', 'work', '--device', 'wasm', '--jobs', '1', '--threads', '1'];
        const child = startProgram(words, { cwd: folder, env: { ...env, ...more }, by });
        children.push(child);
        return child;
      },
      left: () => number(`select count(*) from flowgrad.runs where state <> 'done'`),
      epochs: () => number('select sum(epoch) from flowgrad.runs'),
      attempts: () => number('select count(*) from flowgrad.attempts'),
      failures: () => number('select sum(failures) from flowgrad.runs'),
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
export async function trainedAlone(folder: string, grid: readonly object[]): Promise<string> {
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
