/** A grid of runs: every group with every model, seed and shuffling. */
import { resolveRun, runEntries } from '@flowgrad/evaluation';
import type { RunConfig } from '@flowgrad/evaluation';
import { checked, listOf, record } from '@flowgrad/schema';
import type { Naming } from '@flowgrad/schema';
import { parseGroup } from '../flags/group.ts';
import { parseSeeds } from '../flags/lists.ts';
import { UsageError } from '../usage-error.ts';

/** As many folders as anybody can look at; a grid multiplies quickly. */
const mostRuns = 100_000;

const { group, model, seed, shuffling, ...protocol } = runEntries;
const gridSchema = record({
  groups: listOf(group, mostRuns),
  models: listOf(model, mostRuns),
  seeds: listOf(seed, mostRuns),
  shufflings: listOf(shuffling, mostRuns),
  ...protocol,
});

/**
 * The runs of one grid or of several, each once, shuffling by shuffling: a first picture comes early. Seeds may be text
 * such as `1..5`; they are 1 unless given. Errors begin with the command, and call settings what `nameOf` does.
 */
export function runsOf(command: string, grids: unknown, nameOf?: Naming): RunConfig[] {
  const list: readonly unknown[] = Array.isArray(grids) ? grids : [grids];
  if (list.length === 0) throw new UsageError(`${command}: expected at least one grid, got an empty list`);
  const runs = new Map(
    list.flatMap((grid) => runsOfGrid(command, grid, nameOf)).map((run) => [JSON.stringify(run), run]),
  );
  return [...runs.values()];
}

function runsOfGrid(command: string, grid: unknown, nameOf: Naming | undefined): RunConfig[] {
  const written = isObject(grid) ? withoutText(grid) : grid;
  const { groups, models, seeds, shufflings, ...protocol } = checked(command, gridSchema, written, nameOf);
  const count = groups.length * models.length * seeds.length * shufflings.length;
  if (count > mostRuns) throw new UsageError(`${command}: expected at most ${mostRuns} runs, got ${count}`);
  const runs: RunConfig[] = [];
  for (const shuffling of shufflings) {
    for (const seed of seeds) {
      for (const group of groups) {
        for (const model of models) {
          runs.push(resolveRun({ group, model, seed, shuffling, ...protocol }, nameOf));
        }
      }
    }
  }
  return runs;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withoutText({
  groups,
  seeds = [1],
  shufflings = [1],
  ...others
}: Readonly<Record<string, unknown>>) {
  const nameOf = (group: unknown): unknown => (typeof group === 'string' ? parseGroup(group) : group);
  const numbers = (value: unknown): unknown => (typeof value === 'string' ? parseSeeds(value) : value);
  return {
    groups: Array.isArray(groups) ? groups.map(nameOf) : groups,
    ...others,
    ...{ seeds: numbers(seeds), shufflings: numbers(shufflings) },
  };
}
