/** Times the generation of all 120 datasets and the ceilings of the SZ32 groups, on one core. */
import { generateDataset } from '../../dataset/dataset.ts';
import { ceilingMetrics } from '../../exact/ceiling.ts';
import { DATASET_GROUPS } from '../../world/group-name.ts';
import { textTable } from './text-table.ts';

const SEEDS = [1, 2, 3, 4, 5];

/** Seconds of this process's own work: on a busy machine less noisy than the clock. */
function processorSeconds(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

let total = 0;
const rows = DATASET_GROUPS.map((group) => {
  const seconds = SEEDS.map((seed) => processorSeconds(() => generateDataset(group, { seed })));
  total += seconds.reduce((sum, one) => sum + one, 0);
  const dataset = generateDataset(group, { seed: SEEDS[0] });
  const ceiling = group.includes('SZ32') ? processorSeconds(() => ceilingMetrics(dataset)).toFixed(2) : '–';
  return [group, Math.max(...seconds).toFixed(3), ceiling];
});
console.log(textTable(['group', 'slowest of five datasets, s', 'ceiling of one dataset, s'], rows));
console.log(
  `\nall ${DATASET_GROUPS.length * SEEDS.length} datasets: ${total.toFixed(1)} s of processor time`,
);
