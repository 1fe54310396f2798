/** Prints the statistics of the 24 dataset groups, means over seeds, beside the paper's table. */
import { compareStatistics } from '../../paper/statistics-comparison.ts';
import type { StatisticsComparison } from '../../paper/statistics-comparison.ts';
import { DATASET_GROUPS } from '../../world/group-name.ts';
import { seedsFromArguments } from './seed-arguments.ts';
import { textTable } from './text-table.ts';

const COLUMNS = ['nodes', 'edges', 'trajectories', 'trajectoryLength'] as const;
const DIGITS = { nodes: 1, edges: 1, trajectories: 0, trajectoryLength: 2 };

const seeds = seedsFromArguments();
console.log(
  `Means over seeds ${seeds[0]}..${seeds[seeds.length - 1]} | the paper's. An ! lies outside its tolerance.\n`,
);
const comparisons = DATASET_GROUPS.map((group) => [group, compareStatistics(group, seeds)] as const);
console.log(
  textTable(
    [
      'group',
      'nodes',
      'edges',
      'trajectories',
      'length',
      'trajectories off by',
      'length off by',
      'σ of a seed',
    ],
    comparisons.map(([group, comparison]) => rowOf(group, comparison)),
  ),
);
const outside = comparisons.flatMap(([group, comparison]) =>
  COLUMNS.filter((column) => !isInside(comparison, column)).map((column) => {
    const difference = comparison.mean[column] - comparison.paper[column];
    return `${group}: ${column} off by ${difference.toFixed(2)}`;
  }),
);
console.log(`\n${outside.length} of ${COLUMNS.length * comparisons.length} numbers outside their tolerance`);
for (const line of outside) console.log(line);
process.exitCode = outside.length > 0 ? 1 : 0;

function rowOf(group: string, comparison: StatisticsComparison): string[] {
  const { mean, paper, tolerance, deviation } = comparison;
  const cells = COLUMNS.map((column) => {
    const mark = isInside(comparison, column) ? '' : ' !';
    return `${mean[column].toFixed(DIGITS[column])} | ${paper[column]}${mark}`;
  });
  const percent = (value: number): string => ((100 * value) / paper.trajectories).toFixed(1);
  return [
    group,
    ...cells,
    `${percent(mean.trajectories - paper.trajectories)} % (${percent(tolerance.trajectories)} allowed)`,
    `${(mean.trajectoryLength - paper.trajectoryLength).toFixed(2)} (${tolerance.trajectoryLength} allowed)`,
    deviation.trajectoryLength.toFixed(2),
  ];
}

function isInside(
  { mean, paper, tolerance }: StatisticsComparison,
  column: (typeof COLUMNS)[number],
): boolean {
  return Math.abs(mean[column] - paper[column]) <= tolerance[column];
}
