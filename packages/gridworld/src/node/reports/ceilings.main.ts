/** Prints exact ceilings (raw ranking, test split, means over seeds) beside the reference's and the paper's best. */
import { compareCeiling, REFERENCE_CEILINGS } from '../../paper/ceiling-comparison.ts';
import { PAPER_RESULTS } from '../../paper/paper-tables.ts';
import { seedsFromArguments } from './seed-arguments.ts';
import { textTable } from './text-table.ts';

const METRICS = ['hits1', 'hits5', 'hits10', 'mr', 'mrr'] as const;
const DIGITS = { hits1: 1, hits5: 1, hits10: 1, mr: 2, mrr: 3 };

const seeds = seedsFromArguments();
console.log(
  `Means over seeds ${seeds[0]}..${seeds[seeds.length - 1]} | the reference's (standard errors between them)\n`,
);
const rows = [...REFERENCE_CEILINGS.keys()].map((group) => {
  const start = performance.now();
  const { mean, reference, standardError } = compareCeiling(group, seeds);
  const seconds = (performance.now() - start) / 1000 / seeds.length;
  const cells = METRICS.map((metric) => {
    const difference = mean[metric] - reference[metric];
    const errors = difference === 0 ? 0 : difference / standardError[metric];
    return `${mean[metric].toFixed(DIGITS[metric])} | ${reference[metric]} (${errors.toFixed(1)})`;
  });
  const models = [...(PAPER_RESULTS.get(group)?.values() ?? [])];
  const best = Math.max(...models.map(({ hits1 }) => hits1[0]));
  return [group, ...cells, best.toFixed(2), seconds.toFixed(2)];
});
console.log(textTable(['group', ...METRICS, "the paper's best hits1", 'seconds a dataset'], rows));
