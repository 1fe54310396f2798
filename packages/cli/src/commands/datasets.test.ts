import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWorld } from '@flowgrad/gridworld';
import { readDataset, readTextLayout } from '@flowgrad/gridworld/node';
import { beforeAll, expect, test } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();
let root: string;
beforeAll(async () => {
  root = await emptyFolder();
});

test('generate writes a folder that reads back, once', async () => {
  const out = join(root, 'data');
  const words = ['generate', tinyWorld, '--seed', '3', '--out', out];
  expect(await runCaptured(words)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`in ${out}`) as string,
  });
  expect((await readDataset(out)).seed).toBe(3);
  expect(await runCaptured(words)).toMatchObject({
    code: 1,
    stderr: `flowgrad: generate: expected no folder at ${out}, got one (--overwrite replaces it)\n`,
  });
  expect(await runCaptured([...words, '--overwrite', '--layout', 'text'])).toMatchObject({ code: 0 });
  expect(await readdir(out)).not.toContain('manifest.json');
  expect((await readTextLayout(out)).map.size).toBe(6);
});

test('generate takes the parameters of a world of one’s own', async () => {
  const { parameters } = createWorld(tinyWorld, { seed: 1 });
  const file = join(root, 'world.json');
  await writeFile(file, JSON.stringify({ ...parameters, name: 'mine', rollouts: 2 }));
  const out = join(root, 'mine');
  expect(await runCaptured(['generate', file, '--out', out])).toMatchObject({ code: 0 });
  expect((await readDataset(out)).world.parameters.rollouts).toBe(2);
  await writeFile(file, '{}');
  expect(await runCaptured(['generate', file])).toMatchObject({ code: 2 });
});

test('stats stand beside the paper’s', async () => {
  const group = 'SINE-SZ32-STP16-NDRP-STD0.2';
  const { stdout } = await runCaptured(['stats', group, '--seeds', '1..2']);
  expect(stdout).toMatch(/^SINE-SZ32-STP16-NDRP-STD0.2 +921.0 \| 921 /m);
  const { groups } = JSON.parse(
    (await runCaptured(['stats', tinyWorld, '--seeds', '1', '--json'])).stdout,
  ) as {
    groups: { mean: { nodes: number }; paper?: object }[];
  };
  expect(groups).toMatchObject([{ mean: { nodes: 32 } }]);
  expect(groups[0].paper).toBeUndefined();
});

test('ceilings are raw and filtered, means over seeds', async () => {
  const one = async (seeds: string): Promise<number> => {
    const { stdout } = await runCaptured(['ceiling', tinyWorld, '--seeds', seeds, '--json']);
    return (JSON.parse(stdout) as { groups: [{ raw: { mrr: number } }] }).groups[0].raw.mrr;
  };
  expect(await one('1,2')).toBeCloseTo(((await one('1')) + (await one('2'))) / 2, 12);
  const { stdout } = await runCaptured(['ceiling', tinyWorld, '--seeds', '1']);
  expect(stdout).toMatch(/raw +\d.*\n +filtered +\d/);
});
