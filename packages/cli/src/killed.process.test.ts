/** Processes that are killed, interrupted or left without a disk, and what is left of their runs. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runChild, startChild } from './testing/child.ts';
import { metricsOf } from './testing/metrics-of.ts';
import { tinyWorld } from './testing/run-captured.ts';
import { temporaryFolders } from './testing/temporary-folder.ts';

const emptyFolder = temporaryFolders();
const patience = 300_000;
const epochs = 12;
const words = [
  ...['train', '--group', tinyWorld, '--model', 'GGNN-MulMlp', '--epochs', String(epochs), '--batch', '4'],
  ...['--device', 'wasm', '--threads', '1', '--out', 'run'],
];

let expected: string[];
let milliseconds: number;
beforeAll(async () => {
  const folder = await emptyFolder();
  const start = performance.now();
  expect(await runChild(words, folder)).toMatchObject({ code: 0 });
  milliseconds = performance.now() - start;
  expected = await metricsOf(join(folder, 'run'));
  expect(expected).toHaveLength(epochs);
}, patience);

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** mulberry32: numbers in 0 … 1 from a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes the owner in the manifest of a folder one whose process cannot be looked at. */
async function putOnAnotherMachine(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('manifest-')).sort();
  const path = join(folder, names.at(-1)!);
  const { checksum: _, ...manifest } = JSON.parse(await readFile(path, 'utf8')) as Record<string, object>;
  const moved = { ...manifest, owner: { ...manifest['owner'], boot: 'another' } };
  const checksum = createHash('sha256').update(JSON.stringify(moved)).digest('hex');
  await writeFile(path, `${JSON.stringify({ ...moved, checksum }, undefined, 1)}\n`);
}

test(
  'killed at random moments and resumed, a run has exactly the metrics of one that was left alone',
  async () => {
    const seed = Number(process.env['FLOWGRAD_TEST_SEED'] ?? Date.now() % 1_000_000);
    console.log(`moments of killing: FLOWGRAD_TEST_SEED=${seed}`);
    const random = randomNumbers(seed);
    const folder = await emptyFolder();
    const moments: string[] = [];
    for (let kills = 0; kills < 5; kills++) {
      const child = startChild([...words, '--resume'], folder);
      await Promise.race([wait(random() * milliseconds), child.ended]);
      child.process.kill('SIGKILL');
      await child.ended;
      const done = await metricsOf(join(folder, 'run')).catch(() => []);
      moments.push(`after ${done.filter(Boolean).length} epochs`);
    }
    console.log(`killed ${moments.join(', ')}`);
    expect(await runChild([...words, '--resume'], folder)).toMatchObject({ code: 0 });
    expect(await metricsOf(join(folder, 'run')), `seed ${seed}`).toEqual(expected);
    expect((await readdir(join(folder, 'run'))).sort()).toEqual([
      ...['attention.json', 'checkpoints', 'config.json', 'environment.json'],
      ...[
        expect.stringMatching(/^manifest-\d{8}\.json$/) as string,
        'metrics.jsonl',
        'snapshots',
        'summary.json',
      ],
    ]);
  },
  patience,
);

describe('Ctrl-C', () => {
  test(
    'stops in the middle of an epoch with a checkpoint, says how to go on, and that gives the same metrics',
    async () => {
      const folder = await emptyFolder();
      const long = [...words.map((word) => (word === tinyWorld ? 'SINE-SZ12-STP4-NDRP-STD0.2' : word))];
      long[long.indexOf('--batch') + 1] = '1';
      long[long.indexOf('--epochs') + 1] = '1';
      const child = startChild(long, folder);
      await child.said(/Training/);
      child.process.kill('SIGINT');
      const { code, stderr } = await child.ended;
      expect(stderr).toContain('stopping after this step');
      expect(stderr).toContain('Stopped. To go on: flowgrad train --resume run\n');
      expect(code).toBe(130);
      const checkpoints = await readdir(join(folder, 'run', 'checkpoints'));
      const position = await readFile(
        join(folder, 'run', 'checkpoints', checkpoints[0], 'position.json'),
        'utf8',
      );
      const { epoch, losses } = JSON.parse(position) as { epoch: number; losses: number[] };
      expect(epoch).toBe(0);
      expect(losses.length).toBeGreaterThan(0);
      expect(
        await runChild(['train', '--resume', 'run', '--device', 'wasm', '--threads', '1'], folder),
      ).toMatchObject({
        code: 0,
      });
      const alone = await emptyFolder();
      await runChild(long, alone);
      expect(await metricsOf(join(folder, 'run'))).toEqual(await metricsOf(join(alone, 'run')));
    },
    patience,
  );

  test.for<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
    'before the first step %s ends it at once',
    { timeout: patience },
    async (signal) => {
      const folder = await emptyFolder();
      const run = join(folder, 'run');
      const killed = startChild(words, folder);
      await killed.said(/^epoch 1/m);
      killed.process.kill('SIGKILL');
      await killed.ended;
      await putOnAnotherMachine(run);
      const before = await readdir(run);
      // For half a minute it cannot tell whether that owner is still there.
      const child = startChild([...words, '--resume'], folder);
      await child.said(/Waiting to see whether/);
      child.process.kill(signal);
      const { code, stderr } = await child.ended;
      expect(stderr).toContain('flowgrad: stopped before the first step\n');
      expect(stderr).not.toContain('Training');
      expect(code).toBe(130);
      expect(await readdir(run)).toEqual(before);
    },
  );

  test(
    'twice, it ends at once',
    async () => {
      const folder = await emptyFolder();
      // Long steps: the second signal comes while the first step is under way.
      const slow = [
        'train',
        '--group',
        'SINE-SZ24-STP8-NDRP-STD0.2',
        '--model',
        'GGNN-MulMlp',
        '--plan',
        'dense',
      ];
      const child = startChild([...slow, '--out', 'run', '--device', 'wasm', '--threads', '1'], folder);
      await child.said(/Training/);
      child.process.kill('SIGINT');
      await wait(50);
      child.process.kill('SIGINT');
      const { code, stderr } = await child.ended;
      expect(code).toBe(130);
      expect(stderr).not.toContain('To go on');
      expect(await readdir(join(folder, 'run'))).not.toContain('checkpoints');
    },
    patience,
  );
});

test(
  'a disk that is full is one line, and with room again the run goes on as if nothing had been',
  async () => {
    const folder = await emptyFolder();
    const full = await runChild(words, folder, { NODE_OPTIONS: `--import=${diskWithRoomFor(9)}` });
    expect(full).toMatchObject({ code: 1, stdout: '' });
    expect(full.stderr).toMatch(/^flowgrad: train: expected room on the disk, got none .*\(ENOSPC\)$/m);
    expect(full.stderr).not.toMatch(/^ +at /m);
    expect(await runChild([...words, '--resume'], folder)).toMatchObject({ code: 0 });
    expect(await metricsOf(join(folder, 'run'))).toEqual(expected);
  },
  patience,
);

/** A module that lets this many files of bytes be written, and then no more. */
function diskWithRoomFor(files: number): string {
  const source = `
    import { open } from 'node:fs/promises';
    const handle = await open(process.execPath);
    const prototype = Object.getPrototypeOf(handle);
    await handle.close();
    const write = prototype.writeFile;
    let written = 0;
    prototype.writeFile = function (data, ...rest) {
      if (typeof data === 'string' || ++written <= ${files}) return write.call(this, data, ...rest);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };`;
  return `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
}

test(
  'two processes do not train in one folder',
  async () => {
    const folder = await emptyFolder();
    const first = startChild(words, folder);
    await first.said(/Training/);
    // Else it may be done before the second one has begun.
    first.process.kill('SIGSTOP');
    const second = await runChild([...words, '--resume'], folder).finally(() => {
      first.process.kill('SIGCONT');
    });
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain(`locked by process ${first.process.pid}`);
    expect(await first.ended).toMatchObject({ code: 0 });
    expect(await metricsOf(join(folder, 'run'))).toEqual(expected);
  },
  patience,
);
