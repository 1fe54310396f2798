/** What a store costs: a sweep beside the same runs by `train` in a row, and how much one server does in a second. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveRun } from '@flowgrad/evaluation';
import { checksumOf } from '@flowgrad/evaluation/node';
import { startPostgres } from '@flowgrad/postgres-tool';
import type { PostgresServer } from '@flowgrad/postgres-tool';
import { addRuns, beat, openStore, saveRun, takeRun } from '@flowgrad/sweeps';
import type { Attempt, Store } from '@flowgrad/sweeps';
import { formatTable } from './table.ts';

const program = fileURLToPath(new URL('../../packages/cli/bin/flowgrad.js', import.meta.url));
const arithmetic = 'bench';
const allowed = 1.05;
const least = 50;

export interface SweepBenchOptions {
  /** The world of the sweep that is compared with `train`. */
  readonly group: string;
  /** Runs of the sweep that is compared with `train`. */
  readonly runs: number;
  /** Epochs of each: a second or so. */
  readonly epochs: number;
  /** Runs without content. */
  readonly empty: number;
  readonly onProgress: (what: string) => void;
}

/** The figures as a table. */
export async function benchSweeps(options: SweepBenchOptions): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'flowgrad-bench-'));
  const server = await startPostgres();
  try {
    const rows = [...(await besideTrain(folder, server, options)), ...(await perSecond(server.url, options))];
    return formatTable(['what', 'how', 'measured', 'wanted', 'holds'], rows);
  } finally {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** One run after the other with all cores, by both. */
async function besideTrain(
  folder: string,
  server: PostgresServer,
  { group, runs, epochs, onProgress }: SweepBenchOptions,
): Promise<string[][]> {
  const threads = ['--device', 'wasm', '--threads', String(availableParallelism())];
  const grid = { groups: [group], models: ['GGNN-MulMlp'], seeds: `1..${runs}`, epochs };
  await writeFile(join(folder, 'bench.json'), JSON.stringify(grid));
  const flowgrad = (...words: readonly string[]): Promise<number> => timed(folder, server.url, words);

  // The quicker of two times each: other work on the machine makes both slower.
  let [alone, swept] = [Infinity, Infinity];
  for (const round of [1, 2]) {
    let inARow = 0;
    for (let seed = 1; seed <= runs; seed++) {
      onProgress(`train, run ${seed} of ${runs}`);
      const run = [
        '--group',
        group,
        '--model',
        'GGNN-MulMlp',
        '--seed',
        String(seed),
        '--epochs',
        String(epochs),
      ];
      inARow += await flowgrad('train', ...run, ...threads, '--out', `alone-${round}-${seed}`);
    }
    alone = Math.min(alone, inARow);
    onProgress(`sweep of ${runs} runs`);
    const database = await server.createDatabase(`round${round}`);
    await timed(folder, database, ['sweep', 'add', 'bench.json']);
    swept = Math.min(swept, await timed(folder, database, ['sweep', 'work', '--jobs', '1', ...threads]));
  }
  const ratio = swept / alone;
  return [
    [`${runs} runs of ${epochs} epochs`, 'train in a row', `${alone.toFixed(1)} s`, '', ''],
    [
      'the same',
      'sweep work',
      `${swept.toFixed(1)} s, ${ratio.toFixed(3)} ×`,
      `at most ${allowed} ×`,
      ratio <= allowed ? 'yes' : 'NO',
    ],
  ];
}

/** Seconds by the clock that a command takes. */
function timed(cwd: string, url: string, words: readonly string[]): Promise<number> {
  const start = performance.now();
  const env = { ...process.env, FLOWGRAD_STORE: url, NO_COLOR: '1' };
  const child = spawn(process.execPath, [program, ...words], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve((performance.now() - start) / 1000);
      else reject(new Error(`bench: flowgrad ${words[0]} ended with ${code}: ${said}`));
    });
  });
}

/** A checkpoint of GGNN-MulMlp on a world of 32 × 32, with its snapshot: parameters twice, and two moments. */
const checkpointBytes = 4 * 250_000;

async function perSecond(url: string, { empty, onProgress }: SweepBenchOptions): Promise<string[][]> {
  const store = await openStore(url, { purpose: 'work', create: true });
  const rate = async (what: string, count: number, work: () => Promise<unknown>): Promise<number> => {
    onProgress(what);
    const start = performance.now();
    await work();
    return count / ((performance.now() - start) / 1000);
  };
  try {
    const runs = Array.from({ length: empty }, (_, seed) =>
      resolveRun({ group: 'SINE-SZ5-STP3-NDRP-STD0.3', model: 'RW-Stationary', seed }),
    );
    const taken: Attempt[] = [];
    const take = async (): Promise<void> => {
      for (let attempt = await next(store); attempt; attempt = await next(store)) taken.push(attempt);
    };
    const complete = async (): Promise<void> => {
      for (let attempt = taken.pop(); attempt; attempt = taken.pop()) {
        await saveRun(store, attempt, { progress: {}, arithmetic, end: { kind: 'done' } });
      }
    };
    const beside = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 4 }, work));
    const added = await rate('adding', empty, () => addRuns(store, 'empty', runs));
    const takings = await rate('taking', empty, () => beside(take));
    const [held] = taken;
    const beats = await rate('heartbeats', 1000, () => repeated(1000, () => beat(store, held, { step: 1 })));
    const saves = await rate('checkpoints', 100, () => repeated(100, (i) => save(store, held, i)));
    const completions = await rate('completing', empty, () => beside(complete));
    const whole = 1 / (1 / added + 1 / takings + 1 / completions);
    const row = (what: string, how: string, figure: string): string[] => [what, how, figure, '', ''];
    return [
      row(`${empty} empty runs`, 'added', `${added.toFixed(0)} /s`),
      row('', 'taken, 4 connections', `${takings.toFixed(0)} /s`),
      row('', 'completed, 4 connections', `${completions.toFixed(0)} /s`),
      ['', 'all three', `${whole.toFixed(0)} /s`, `at least ${least} /s`, whole >= least ? 'yes' : 'NO'],
      row('heartbeats', 'one connection', `${beats.toFixed(0)} /s`),
      row(
        `checkpoints of ${checkpointBytes / 1e6} MB`,
        'one connection',
        `${saves.toFixed(0)} /s, ${((saves * checkpointBytes) / 1e6).toFixed(0)} MB/s`,
      ),
    ];
  } finally {
    await store.close();
  }
}

const next = (store: Store): Promise<Attempt | undefined> =>
  takeRun(store, { worker: 'bench', arithmetic, sweep: 'empty' });

async function repeated(count: number, work: (i: number) => Promise<void>): Promise<void> {
  for (let i = 0; i < count; i++) await work(i);
}

/** New content each time, as after an epoch. */
function save(store: Store, attempt: Attempt, i: number): Promise<void> {
  const content = Buffer.alloc(checkpointBytes, i + 1);
  const path = 'checkpoints/step-00000001/adam.safetensors';
  const files = { [path]: { bytes: content.length, sha256: checksumOf(content) } };
  return saveRun(store, attempt, {
    files: { files, contents: { [path]: content } },
    progress: { step: i, epoch: i },
    arithmetic,
  });
}
