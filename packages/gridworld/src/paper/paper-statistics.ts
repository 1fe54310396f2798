import type { DatasetStatistics } from '../dataset/statistics.ts';
import { STATISTICS_TABLE } from './paper-statistics.text.ts';

/**
 * Group → the statistics that the paper prints: means over five seeds, nodes and edges cut to whole numbers.
 */
export const PAPER_STATISTICS: ReadonlyMap<string, DatasetStatistics> = new Map(
  STATISTICS_TABLE.trim()
    .split('\n')
    .map((row) => {
      const [group, ...cells] = row.trim().split(/\s+/);
      const [nodes, edges, trajectories, trajectoriesPerNode, trajectoryLength] = cells.map(Number);
      return [group, { nodes, edges, trajectories, trajectoriesPerNode, trajectoryLength }];
    }),
);
