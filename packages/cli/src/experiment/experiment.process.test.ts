/** Experiments with real processes. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findRuns, readResult } from '@flowgrad/evaluation/node';
import { describe, expect, test } from 'vitest';
import { runChild, startChild } from '../testing/child.ts';
import { metricsOf } from '../testing/metrics-of.ts';
import { tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();
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
  'killed, its runs stop by themselves and release their folders',
  async () => {
    const folder = await emptyFolder();
    const long = grid.map((word) => (word === '4' ? '1000' : word));
    const child = startChild(long, folder);
    await child.said(/started: .*\n[^]*started: /);
    const locks = async (): Promise<number> => {
      const files = await readdir(join(folder, 'runs'), { recursive: true }).catch(() => []);
      return files.filter((file) => /lock-[0-9a-f]{32}$/.test(file)).length;
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
    const folder = await emptyFolder();
    const shared = { groups: [tinyWorld], models: ['RW-Stationary'], epochs: 2 };
    await writeFile(
      join(folder, 'grid.json'),
      JSON.stringify([{ ...shared, learningRates: [1e38] }, shared, { ...shared, seeds: [2] }]),
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
  const shared = `groups: ['${tinyWorld}'], models: ['RW-Stationary'], seeds: '1..2', epochs: 1`;
  test.for<[file: string, content: string]>([
    ['grid.mjs', `export default { ${shared} };`],
    ['grid.ts', `const grid: { groups: string[] } = { ${shared} } as never;\nexport { grid as experiment };`],
  ])('%s is read', { timeout: patience }, async ([file, content]) => {
    const folder = await emptyFolder();
    await writeFile(join(folder, file), content);
    const { code, stderr } = await runChild(['experiment', file, '--device', 'wasm', '--jobs', '2'], folder);
    expect(stderr).toContain('(2 of 2)');
    expect(code).toBe(0);
    expect(await finished(folder)).toEqual([true, true]);
  });
});
