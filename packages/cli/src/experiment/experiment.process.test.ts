/** Experiments with real processes. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRuns, readResult } from '@flowgrad/evaluation/node';
import { beforeAll, describe, expect, test } from 'vitest';
import { runChild, startChild } from '../testing/child.ts';
import { metricsOf } from '../testing/metrics-of.ts';
import { tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();
/** For tests that do not care what else is there: to make a store takes four seconds of a processor. */
let shared: string;
beforeAll(async () => {
  shared = await emptyFolder();
});
const patience = 300_000;
const grid = [
  ...['experiment', '--groups', tinyWorld, '--models', 'RW-Stationary,GGNN-MulMlp', '--seeds', '1..2'],
  ...['--epochs', '4', '--device', 'wasm', '--jobs', '2'],
];

async function finished(folder: string): Promise<boolean[]> {
  const runs = await findRuns(join(folder, 'runs'));
  return Promise.all(runs.map(async (run) => (await readResult(run)) !== undefined));
}

test(
  'interrupted and continued, it has all its runs with the metrics of runs left alone',
  async () => {
    const folder = await emptyFolder();
    const first = startChild(grid, folder);
    await first.said(/done: .* \(1 of 4\)/);
    first.process.kill('SIGINT');
    const { code, stderr } = await first.ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/Stopped with [123] left\. The same command goes on\./);

    const second = await runChild(grid, folder);
    expect(second.code).toBe(0);
    expect(second.stderr).toMatch(/^[123] of 4 runs were done before\./);
    expect(second.stdout).toBe('4 of 4 runs are done, in runs\n');
    expect(await finished(folder)).toEqual([true, true, true, true]);

    const third = await runChild([...grid, '--json'], folder);
    expect(third.code).toBe(0);
    const { skipped } = JSON.parse(third.stdout) as { skipped: string[] };
    expect(skipped).toHaveLength(4);

    const alone = await emptyFolder();
    const model = ['--group', tinyWorld, '--model', 'GGNN-MulMlp', '--seed', '2', '--epochs', '4'];
    await runChild(['train', ...model, '--device', 'wasm', '--out', 'run'], alone);
    const same = skipped.find((path) => /GGNN-MulMlp.*seed2-/.test(path))!;
    expect(await metricsOf(join(folder, same))).toEqual(await metricsOf(join(alone, 'run')));
  },
  patience,
);

test(
  'what is in the folders counts: runs that were trained by hand, half of one, and one that was removed',
  async () => {
    const folder = await emptyFolder();
    const models = ['--models', 'GGNN-MulMlp', '--epochs', '6', '--device', 'wasm'];
    const byHand = ['train', '--group', tinyWorld, '--model', ...models.slice(1)];
    expect(await runChild(byHand, folder)).toMatchObject({ code: 0 });
    const half = startChild([...byHand, '--seed', '2'], folder);
    await half.said(/epoch 2/i);
    half.process.kill('SIGINT');
    await half.ended;
    const seeds = ['experiment', '--groups', tinyWorld, ...models, '--seeds', '1..3'];
    const first = await runChild(seeds, folder);
    expect(first).toMatchObject({ code: 0, stdout: '3 of 3 runs are done, in runs\n' });
    expect(first.stderr).toMatch(/^1 of 3 runs were done before\./);

    const [one, two] = (await findRuns(join(folder, 'runs'))).sort();
    const before = await metricsOf(two);
    const begun = JSON.parse(await readFile(join(two, 'environment.json'), 'utf8')) as unknown[];
    expect(begun.length).toBeGreaterThan(1);
    await rm(two, { recursive: true });
    const again = await runChild(seeds, folder);
    expect(again.stderr).toMatch(/^2 of 3 runs were done before\.\nstarted: .*\ndone: .* \(3 of 3\)\n/);
    expect(await metricsOf(two)).toEqual(before);

    // Others see them through the store, which has no second copy of their files.
    const status = await runChild(['sweep', 'status', '--json'], folder);
    expect(JSON.parse(status.stdout)).toMatchObject({ sweeps: [{ counts: { done: 3, waiting: 0 } }] });
    const [report, ofStore] = await Promise.all(
      ['runs', 'runs/.sweep'].map((place) => runChild(['report', place], folder)),
    );
    expect(ofStore.stdout).toBe(report.stdout);
    expect(ofStore.stdout).toContain('GGNN-MulMlp');
    const fetched = await runChild(['sweep', 'fetch', '--out', 'elsewhere'], folder);
    expect(fetched.stdout).toBe('3 runs written to elsewhere, 0 were there before\n');
    expect(await metricsOf(one.replace('/runs/', '/elsewhere/'))).toEqual(await metricsOf(one));
  },
  patience,
);

test(
  'two at once share the runs and the store; when the one that has it open is killed, the other does the rest',
  async () => {
    const folder = await emptyFolder();
    const long = [
      ...grid.map((word) => (word === '4' ? '60' : word)).map((word) => (word === '1..2' ? '1..3' : word)),
      ...['--models', 'GGNN-MulMlp', '--jobs', '1'],
    ];
    const first = startChild(long, folder);
    await first.said(/started: /);
    const second = startChild(long, folder);
    await second.said(/started: /);
    const status = await runChild(['sweep', 'status'], folder);
    expect(status.stdout).toMatch(/experiment-\w+ +1 +2 +0 +0 +0\n/);
    first.process.kill('SIGKILL');
    await first.ended;
    const { code, stdout, stderr } = await second.ended;
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: '3 of 3 runs are done, in runs\n' });
    expect(stderr.match(/^done: /gm)).toHaveLength(3);
    expect(await finished(folder)).toEqual([true, true, true]);

    const alone = await emptyFolder();
    const model = ['--group', tinyWorld, '--model', 'GGNN-MulMlp', '--epochs', '60'];
    await runChild(['train', ...model, '--device', 'wasm', '--out', 'run'], alone);
    const [same] = (await findRuns(join(folder, 'runs'))).sort();
    expect(await metricsOf(same)).toEqual(await metricsOf(join(alone, 'run')));
  },
  patience,
);

test(
  'killed, its runs stop by themselves and release their folders',
  async () => {
    const folder = await emptyFolder();
    const long = grid.map((word) => (word === '4' ? '1000' : word));
    const child = startChild(long, folder);
    await child.said(/started: .*\n[^]*started: /);
    const locks = async (): Promise<number> => {
      const files = await readdir(join(folder, 'runs'), { recursive: true }).catch(() => []);
      // The store's own lock is taken over by whoever opens it next.
      return files.filter((file) => /^(?!\.sweep).*lock-[0-9a-f]{32}$/.test(file)).length;
    };
    while ((await locks()) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
    child.process.kill('SIGKILL');
    await child.ended;
    while ((await locks()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await finished(folder)).not.toContain(true);
  },
  patience,
);

test(
  'a run that fails does not stop the others, is named at the end, and gives exit code 1',
  async () => {
    const folder = shared;
    const grid = { groups: [tinyWorld], models: ['RW-Stationary'], epochs: 2 };
    await writeFile(
      join(folder, 'grid.json'),
      JSON.stringify([{ ...grid, learningRates: [1e38] }, grid, { ...grid, seeds: [2] }]),
    );
    const { code, stdout, stderr } = await runChild(
      ['experiment', 'grid.json', '--device', 'wasm', '--jobs', '1'],
      folder,
    );
    expect(stdout).toBe('2 of 3 runs are done, in runs\n');
    expect(stderr).toMatch(
      /^failed: RW-Stationary\+epochs=2\+learningRates=1e\+38 on .*: train: step \d+: expected finite values/m,
    );
    expect(code).toBe(1);
  },
  patience,
);

describe('configuration files', () => {
  const entries = `groups: ['${tinyWorld}'], models: ['RW-Stationary'], epochs: 1`;
  test.for<[file: string, content: string]>([
    ['grid.mjs', `export default { ${entries}, seeds: '1..2' };`],
    [
      'grid.ts',
      `const grid: { groups: string[] } = { ${entries}, seeds: '3..4' } as never;\nexport { grid as experiment };`,
    ],
  ])('%s is read', { timeout: patience }, async ([file, content]) => {
    await writeFile(join(shared, file), content);
    const { code, stderr } = await runChild(['experiment', file, '--device', 'wasm', '--jobs', '2'], shared);
    expect(stderr).toContain('(2 of 2)');
    expect(code).toBe(0);
    const runs = (await findRuns(join(shared, 'runs'))).filter((run) => run.includes('+epochs=1/'));
    const seeds = file === 'grid.mjs' ? /seed[12]-/ : /seed[34]-/;
    const done = runs.filter((run) => seeds.test(run)).map(readResult);
    expect(await Promise.all(done)).toEqual([expect.anything(), expect.anything()]);
  });
});
