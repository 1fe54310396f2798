import { expect, test } from 'vitest';
import { tinyWorld } from '../testing/run-captured.ts';
import { runsOf } from './grid.ts';

const grid = { groups: [tinyWorld], models: ['GGNN', 'GAT'] };

test('a grid is every group with every model, seed and shuffling, each run once', () => {
  const runs = runsOf('experiment', [
    { ...grid, seeds: '1..3', shufflings: [2, 5], options: { d: 10 } },
    { ...grid, seeds: [1] },
  ]);
  expect(runs).toHaveLength(14);
  expect(runs[0]).toMatchObject({ model: 'GGNN', seed: 1, shuffling: 2, options: { d: 10 } });
  expect(new Set(runs.map(({ seed }) => seed))).toEqual(new Set([1, 2, 3]));
  expect(runsOf('experiment', [grid, grid])).toHaveLength(2);
});

test.for<[unknown, string]>([
  [[], 'experiment: expected at least one grid, got an empty list'],
  [null, 'experiment: expected an object, got null'],
  [[7], 'experiment: expected an object, got 7'],
  [[[]], 'experiment: expected an object, got []'],
  [{ ...grid, models: [5] }, 'experiment: expected models.0 among RW-Stationary, RW-Dynamic'],
  [{ ...grid, models: 'GAT' }, "experiment: expected models to be a list of at least one, got 'GAT'"],
  [{ ...grid, models: ['GGNN', 'GATT'] }, "got 'GATT' (did you mean GAT?)"],
  [{ models: ['GAT'] }, 'experiment: expected groups to be a list of at least one, got undefined'],
  [{ ...grid, groups: [] }, 'experiment: expected groups to be a list of at least one, got []'],
  [
    { ...grid, groups: [5] },
    'experiment: expected groups.0 to be a name or the parameters of a world, got 5',
  ],
  [{ ...grid, groups: ['SIEN-SZ32-STP16-NDRP-STD0.2'] }, 'did you mean SINE-SZ32-STP16-NDRP-STD0.2?'],
  [
    { ...grid, groups: [{ size: 4 }] },
    'experiment: group: expected nodeDrop to be a number in 0..1, got undefined',
  ],
  [{ ...grid, seeds: null }, 'experiment: expected seeds to be a list of at least one, got null'],
  [{ ...grid, seeds: [1, '2'] }, "experiment: expected seeds.1 to be an integer in 0..4294967295, got '2'"],
  [{ ...grid, seeds: 'some' }, "expected whole numbers such as 3, 1..20 or 1..3,7, got 'some'"],
  [
    { ...grid, seeds: '1..9999', shufflings: '1..9999' },
    'experiment: expected at most 100000 runs, got 199960002',
  ],
  [{ ...grid, model: 'GAT' }, "got 'model' (did you mean models?)"],
  [{ ...grid, options: 7 }, 'experiment: expected options to be an object, got 7'],
  [{ ...grid, epochs: 0 }, 'experiment: expected epochs to be an integer in 1..1000000, got 0'],
  [{ ...grid, options: { heads: 1 } }, 'run: options: expected options of GGNN among d, weightDecay'],
])('%j is refused: %s', ([odd, message]) => {
  expect(() => runsOf('experiment', odd)).toThrow(message);
});
