/** A grid of runs: every group with every model, seed and shuffling. */
import { rejectUnknownOptions } from '@flowgrad/tensor';
import { resolveRun } from '@flowgrad/evaluation';
import type { RunConfig, RunSettings } from '@flowgrad/evaluation';
import { parseSeeds } from '../flags/lists.ts';
import { parseModel } from '../flags/run-flags.ts';
import { parseGroup } from '../flags/group.ts';
import { UsageError } from '../usage-error.ts';

type Protocol = Omit<RunSettings, 'group' | 'model' | 'seed' | 'shuffling'>;

export interface Grid extends Protocol {
  readonly groups: readonly RunSettings['group'][];
  readonly models: readonly string[];
  /** A list, or text such as `1..5`. 1 unless given. */
  readonly seeds?: readonly number[] | string;
  readonly shufflings?: readonly number[] | string;
}

const protocolKeys = ['options', 'features', 'epochs', 'batch', 'learningRates', 'plan'];
const keys = ['groups', 'models', 'seeds', 'shufflings', ...protocolKeys];

/** The runs of one grid or of several, each once, shuffling by shuffling: a first picture comes early. */
export function runsOf(grids: Grid | readonly Grid[]): RunConfig[] {
  const list = Array.isArray(grids) ? (grids as readonly Grid[]) : [grids as Grid];
  const runs = new Map(list.flatMap(runsOfGrid).map((run) => [JSON.stringify(run), run]));
  return [...runs.values()];
}

function runsOfGrid(grid: Grid): RunConfig[] {
  if (typeof grid !== 'object' || grid === null) {
    throw new UsageError(
      `experiment: expected an object with groups and models, got ${JSON.stringify(grid)}`,
    );
  }
  rejectUnknownOptions('experiment', grid, keys);
  const { groups, models, seeds = [1], shufflings = [1], ...protocol } = grid;
  expectList('groups', groups);
  expectList('models', models);
  const runs: RunConfig[] = [];
  for (const shuffling of numbersOf('shufflings', shufflings)) {
    for (const seed of numbersOf('seeds', seeds)) {
      for (const group of groups.map((each) => (typeof each === 'string' ? parseGroup(each) : each))) {
        for (const model of models.map(parseModel)) {
          runs.push(resolveRun({ group, model, seed, shuffling, ...protocol }));
        }
      }
    }
  }
  return runs;
}

function expectList(name: string, value: unknown): void {
  if (Array.isArray(value) && value.length > 0) return;
  throw new UsageError(
    `experiment: expected ${name} to be a list of at least one, got ${JSON.stringify(value)}`,
  );
}

function numbersOf(name: string, value: readonly number[] | string): readonly number[] {
  if (typeof value === 'string') return parseSeeds(value);
  expectList(name, value);
  return value;
}
