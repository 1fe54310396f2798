/** Every command on a tiny world. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readDataset, readTextLayout } from '@flowgrad/gridworld/node';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { runCaptured, tinyWorld } from '../testing/run-captured.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';

vi.mock(import('@flowgrad/evaluation/node'), async (original) => ({
  ...(await original()),
  // What a report looks like is tested where it is made.
  writeReport: (folder, out) => writeFile(out, `<html>${folder}</html>`),
}));

const emptyFolder = temporaryFolders();
const onWasm = ['--device', 'wasm', '--threads', '1'];
const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

let root: string;
let run: string;
let regular: string;
const trainWords = (folder: string, model = 'GGNN-MulMlp'): string[] => [
  ...['train', '--group', tinyWorld, '--model', model, '--epochs', '2', ...onWasm, '--out', folder],
];

beforeAll(async () => {
  root = await emptyFolder();
  run = join(root, 'flow');
  regular = join(root, 'regular');
  expect(await runCaptured(trainWords(regular, 'GAT'))).toMatchObject({ code: 0 });
});

describe('train', () => {
  test('shows an epoch per line on stderr, and scores beside the ceiling on stdout', async () => {
    const { code, stdout, stderr } = await runCaptured(trainWords(run));
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Training GGNN-MulMlp\+epochs=2 on SINE-SZ6-.*: 2 epochs; wasm, 1 thread, /);
    expect(stderr.match(/^epoch \d\/2: loss \d+\.\d+, validation hits@1 /gm)).toHaveLength(2);
    expect(stdout).toMatch(/^GGNN-MulMlp\+epochs=2 +\d+\.\d ± \d+\.\d/m);
    expect(stdout).toMatch(/^ceiling +\d+\.\d /m);
    expect(stdout).toContain(`The run is in ${run}\n`);
  });

  test('again in the same folder is refused, and resumed it is done already', async () => {
    await runCaptured(trainWords(run));
    expect(await runCaptured(trainWords(run))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(--resume goes on with it; or choose another folder)') as string,
    });
    const again = await runCaptured(['train', '--resume', run]);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('ceiling');
  });

  test('as JSON it tells the start, steps, epochs and the end, line by line', async () => {
    const events = jsonLines((await runCaptured([...trainWords(join(root, 'json')), '--json'])).stdout);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'epoch')).toHaveLength(2);
    expect([kinds[0], kinds.at(-1)]).toEqual(['start', 'done']);
    expect(events.at(-1)).toMatchObject({ result: { epochs: 2 }, folder: join(root, 'json') });
  });

  test('on a terminal there is a bar that is gone at the end', async () => {
    const { stderr } = await runCaptured(trainWords(join(root, 'bar')), { isTTY: true });
    expect(stderr).toContain('█');
    expect(stderr.endsWith('\r\x1b[K')).toBe(true);
  });

  test('stopped, it says how to go on, and is exit code 130', async () => {
    const folder = join(root, 'a folder to stop');
    const { code, stderr } = await runCaptured(trainWords(folder), { signal: AbortSignal.abort() });
    expect(code).toBe(130);
    expect(stderr).toContain(`Stopped. To go on: flowgrad train --resume '${folder}'\n`);
    expect(await runCaptured(['train', '--resume', folder, ...onWasm])).toMatchObject({ code: 0 });
  });

  test.for([
    ['train --model GAT', 'got no --group'],
    ['train', 'expected --group and --model, got no --group and no --model'],
    ['train --resume', 'expected a run folder after --resume, got none'],
    ['train --resume nowhere', 'expected a run in nowhere, got none'],
    [
      `train --group ${tinyWorld} --model GAT somewhere`,
      "expected a folder behind --resume or --out, got 'somewhere' alone",
    ],
    ['train --resume a --out b', 'expected one folder, got a and b'],
    ['train --resume a --epochs 3', 'expected --group and --model'],
    [`train --group ${tinyWorld} --settings {"group":"${tinyWorld}","model":"GAT"}`, 'got both'],
  ])('"%s" is wrong usage: %s', async ([line, message]) => {
    expect(await runCaptured(line)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });

  test('a folder below a file is one clear line', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    const { code, stderr } = await runCaptured(trainWords(join(file, 'run')));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^flowgrad: train: \S+file\S*: expected a folder, got a file on the way \(ENOTDIR\)\n$/,
    );
  });
});

describe('evaluate', () => {
  const evaluated = async (...words: string[]): Promise<Record<string, unknown>> =>
    JSON.parse((await runCaptured(['evaluate', ...words, ...onWasm, '--json'])).stdout) as Record<
      string,
      unknown
    >;

  test('a run folder and its file of parameters score as they did in training', async () => {
    const [line] = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).split('\n');
    const { test, valid } = JSON.parse(line) as { test: object; valid: object };
    const [snapshot] = await readdir(join(run, 'snapshots'));
    expect(snapshot).toBe('epoch-0001.safetensors');
    expect(await evaluated(run, '--epoch', '1')).toMatchObject({ epoch: 1, split: 'test', ...test });
    expect(await evaluated(join(run, 'snapshots', snapshot), '--split', 'valid')).toMatchObject({
      epoch: 1,
      split: 'valid',
      ...valid,
    });
  });

  test('prints raw, filtered, ceiling and where attention was at every time', async () => {
    const { code, stdout } = await runCaptured(['evaluate', run, ...onWasm]);
    expect(code).toBe(0);
    for (const row of ['raw', 'filtered', 'ceiling, raw', 'ceiling, filtered']) {
      expect(stdout).toMatch(new RegExp(`^${row} +\\d`, 'm'));
    }
    expect(stdout).toMatch(/^0 +100\.0 % +0\.00$/m);
    expect(stdout).toMatch(/^4 +\d+\.\d % /m);
  });

  test('a regular network has no flow', async () => {
    expect((await runCaptured(['evaluate', regular, ...onWasm])).stdout).toContain('A regular network');
    expect(await evaluated(regular)).not.toHaveProperty('flow');
  });

  test('what is not there is wrong usage', async () => {
    expect(await runCaptured(['evaluate', run, '--epoch', '9'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected parameters of epoch 9') as string,
    });
    expect(await runCaptured(['evaluate', root])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('without config.json') as string,
    });
  });
});

describe('show', () => {
  test('draws a character pair for each place, the source and the end marked', async () => {
    const { code, stdout } = await runCaptured(['show', run, ...onWasm]);
    expect(code).toBe(0);
    const [, , , ...rows] = stdout.split('\n');
    expect(rows.slice(0, 6).join('')).toMatch(/S@/);
    expect(stdout).toContain('D where a walk from it ended');
    expect(stdout).not.toContain('\x1b');
  });

  test('has colours on a terminal that knows them, and not with NO_COLOR', async () => {
    const env = { COLORTERM: 'truecolor' };
    expect((await runCaptured(['show', run, ...onWasm], { isTTY: true, env })).stdout).toContain(
      '\x1b[48;2;',
    );
    const without = { ...env, NO_COLOR: '1' };
    expect((await runCaptured(['show', run, ...onWasm], { isTTY: true, env: without })).stdout).not.toContain(
      '\x1b',
    );
  });

  test('all times, or one', async () => {
    const all = (await runCaptured(['show', run, '--all', ...onWasm])).stdout;
    expect(all.match(/attention at t = \d/g)).toHaveLength(5);
    const one = (await runCaptured(['show', run, '--step', '0', ...onWasm])).stdout;
    // At the beginning all of it is on the source.
    expect(one).toContain('at most 1.000 at one place');
    expect(one.match(/@/g)).toHaveLength(1);
  });

  test('writes SVG and PNG', async () => {
    const svg = join(root, 'a.svg');
    const png = join(root, 'a.png');
    const [x, y] = /from (\d+),(\d+)/.exec((await runCaptured(['show', run, ...onWasm])).stdout)!.slice(1);
    const words = ['show', run, '--source', `${x},${y}`, ...onWasm];
    expect(await runCaptured([...words, '--format', 'svg', '--out', svg])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await runCaptured([...words, '--format', 'png', '--out', png])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await readFile(svg, 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/);
    expect((await readFile(png)).subarray(0, 4).toString('latin1')).toBe('\x89PNG');
  });

  test.for([
    [['--step', '5'], 'expected --step in 0..4, got 5'],
    [['--source', '99,0'], 'expected a place of the map'],
    [['--source', '999'], 'expected a node in 0..'],
    [['--source', 'x'], "expected --source as x,y or a node's number"],
    [['--all', '--step', '1'], 'expected --all or --step, got both'],
  ] as const)('%o is wrong usage', async ([words, message]) => {
    expect(await runCaptured(['show', run, ...words, ...onWasm])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});

describe('datasets', () => {
  test('generate writes a folder that reads back, once', async () => {
    const out = join(root, 'data');
    const words = ['generate', tinyWorld, '--seed', '3', '--out', out];
    expect(await runCaptured(words)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`in ${out}`) as string,
    });
    expect((await readDataset(out)).seed).toBe(3);
    expect(await runCaptured(words)).toMatchObject({ code: 1 });
    expect(await runCaptured([...words, '--overwrite', '--layout', 'text'])).toMatchObject({ code: 0 });
    expect(await readdir(out)).not.toContain('manifest.json');
    expect((await readTextLayout(out)).map.size).toBe(6);
  });

  test('generate takes the parameters of a world of one’s own', async () => {
    const { world } = await readDataset(
      await (async () => {
        const out = join(root, 'own');
        await runCaptured(['generate', tinyWorld, '--out', out]);
        return out;
      })(),
    );
    const file = join(root, 'world.json');
    await writeFile(file, JSON.stringify({ ...world.parameters, name: 'mine', rollouts: 2 }));
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
});

describe('report', () => {
  test('takes runs of a kind together, beside the ceiling', async () => {
    const folder = await emptyFolder();
    for (const seed of ['1', '2']) {
      await runCaptured([...trainWords(join(folder, seed), 'RW-Stationary'), '--seed', seed]);
    }
    await runCaptured(trainWords(join(folder, 'half')), { signal: AbortSignal.abort() });
    const { code, stdout, stderr } = await runCaptured([
      'report',
      folder,
      '--out',
      join(folder, 'report.html'),
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/RW-Stationary\+epochs=2 +2 +\d+\.\d ± \d+\.\d/);
    expect(stdout).toMatch(/^ +filtered .*\n +ceiling /m);
    expect(stdout).toContain('The page is');
    expect(stderr).toBe(`Left out, as not done: ${join(folder, 'half')}\n`);
    const { groups } = JSON.parse((await runCaptured(['report', folder, '--json'])).stdout) as {
      groups: { raw: { mrr: { values: number[] } } }[];
    };
    // Two runs of two epochs each: all of them are among the best three.
    expect(groups[0].raw.mrr.values).toHaveLength(4);
  });

  test('a folder without finished runs is a failure', async () => {
    expect(await runCaptured(['report', await emptyFolder()])).toMatchObject({ code: 1 });
  });
});

test('bench tells steps per second of both plans', async () => {
  const words = [
    'bench',
    '--groups',
    tinyWorld,
    '--models',
    'GAT,RW-Stationary',
    '--seconds',
    '0.01',
    ...onWasm,
  ];
  const { backend, worlds } = JSON.parse((await runCaptured([...words, '--json'])).stdout) as {
    backend: string;
    worlds: { timings: { plan: string; stepsPerSecond: number; planning: number }[] }[];
  };
  expect(backend).toMatch(/^wasm, 1 thread/);
  expect(worlds[0].timings.map(({ plan }) => plan)).toEqual(['cone', 'dense', 'cone', 'dense']);
  for (const { stepsPerSecond, planning } of worlds[0].timings) {
    expect(stepsPerSecond).toBeGreaterThan(0);
    expect(planning).toBeGreaterThan(0);
    expect(planning).toBeLessThanOrEqual(1);
  }
  expect((await runCaptured(words)).stdout).toMatch(/GAT +cone +[\d.]+ +[\d.]+ % +[\d.]+ ×\nGAT +dense/);
});

test('doctor finds wasm, and does not fail for want of a GPU', async () => {
  const { code, stdout } = await runCaptured('doctor --json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ node: process.version, wasm: { simd: true } });
  const { stdout: text } = await runCaptured('doctor');
  for (const title of ['Node', 'Processor', 'wasm SIMD', 'WebGPU, hardware', '--device auto']) {
    expect(text).toMatch(new RegExp(`^${title} `, 'm'));
  }
});

test('demo trains two models, shows them beside the ceiling and writes a report; then it is done already', async () => {
  const out = join(await emptyFolder(), 'demo');
  const { code, stdout } = await runCaptured(['demo', '--epochs', '1', '--out', out, ...onWasm]);
  expect(code).toBe(0);
  for (const row of ['GGNN-MulMlp', 'RW-Stationary', 'ceiling']) {
    expect(stdout).toMatch(new RegExp(`^${row} +\\d`, 'm'));
  }
  expect(stdout).toContain(`The report, with pictures of the attention: ${join(out, 'report.html')}\n`);
  expect(await readFile(join(out, 'report.html'), 'utf8')).toContain(out);
  expect(await runCaptured(['demo', '--epochs', '1', '--out', out])).toEqual({ code, stdout, stderr: '' });
});
