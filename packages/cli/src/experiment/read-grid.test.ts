import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../parse-command-line.ts';
import { experiment } from '../commands/experiment.ts';
import { temporaryFolders } from '../testing/temporary-folder.ts';
import { readGrid } from './read-grid.ts';

const emptyFolder = temporaryFolders();
const card = { name: 'family', sha256: 'ab'.repeat(32), nodes: 5, edgeTypes: 4, queries: 4, steps: 2 };

async function fileOf(content: unknown): Promise<string> {
  const file = join(await emptyFolder(), 'grid.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

type GridFlags = Parameters<typeof readGrid>[2];
const flagsOf = (...words: string[]): GridFlags =>
  parseCommandLine(experiment, words).flags as unknown as GridFlags;

describe('a grid of a file on datasets', () => {
  const grid = { models: ['RW-Stationary'], shufflings: '1..2', epochs: 3 };

  it('has their cards for groups', async () => {
    for (const content of [grid, [grid]]) {
      const runs = await readGrid('experiment', await fileOf(content), flagsOf(), [card]);
      expect(runs.map(({ group, shuffling }) => [group, shuffling])).toEqual([
        [card, 1],
        [card, 2],
      ]);
    }
  });

  it('names no groups itself, and other settings stand in the file', async () => {
    const file = await fileOf({ ...grid, groups: ['SINE-SZ8-STP4-NDRP-STD0.2'] });
    await expect(readGrid('experiment', file, flagsOf(), [card])).rejects.toThrow(
      'experiment: expected groups in the file or --data, got both',
    );
    await expect(readGrid('experiment', file, flagsOf('--epochs', '2'), [card])).rejects.toThrow(
      'in flags, got both (epochs)',
    );
  });
});

describe('what is wrong with a grid', () => {
  const group = 'SINE-SZ8-STP4-NDRP-STD0.2';

  it.for<[string[], string]>([
    [[], 'got no --groups and no --models'],
    [['--groups', group], 'got no --models'],
    [['--models', 'GAT'], 'got no --groups'],
  ])('of the flags %j something is missing', async ([words, missing]) => {
    await expect(readGrid('experiment', undefined, flagsOf(...words))).rejects.toThrow(
      `experiment: expected a configuration file, or --groups and --models, ${missing}`,
    );
  });

  it('is said in words of flags, where it came from these', async () => {
    const words = ['--groups', group, '--models', 'GAT-Mul,GGNN', '--keep-nodes', '5'];
    await expect(readGrid('sweep add', undefined, flagsOf(...words))).rejects.toThrow(
      'sweep add: --keep-nodes: expected a model whose attention can be cut, got GGNN',
    );
  });

  it('is said by the command that reads it', async () => {
    const file = await fileOf({ groups: [group], models: ['GAT'], epoch: 3 });
    await expect(readGrid('sweep add', file, flagsOf())).rejects.toThrow(/^sweep add: .*did you mean epochs/);
    await expect(readGrid('sweep add', 'grid.yaml', flagsOf())).rejects.toThrow(
      'sweep add: expected a file ending in .json, .js, .mjs or .ts, got grid.yaml',
    );
  });
});
