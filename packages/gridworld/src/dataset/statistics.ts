import type { GridDataset } from './dataset.ts';

/** The columns of the paper's table of dataset statistics. */
export interface DatasetStatistics {
  readonly nodes: number;
  readonly edges: number;
  readonly trajectories: number;
  readonly trajectoriesPerNode: number;
  /**
   * Mean number of nodes on a trajectory, the blocked step counted as one more: so the paper's column comes
   * out.
   */
  readonly trajectoryLength: number;
}

/** The counts of a dataset that the paper's Table 1 lists. */
export function datasetStatistics({ map, trajectories, world }: GridDataset): DatasetStatistics {
  const { count, offsets, nodes } = trajectories;
  let blocked = 0;
  for (let i = 0; i < count; i++) {
    if (offsets[i + 1] - offsets[i] <= world.parameters.steps) blocked++;
  }
  const { nodeCount, edgeCount } = map.graph;
  return {
    nodes: nodeCount,
    edges: edgeCount,
    trajectories: count,
    trajectoriesPerNode: nodeCount === 0 ? 0 : count / nodeCount,
    trajectoryLength: count === 0 ? 0 : (nodes.length + blocked) / count,
  };
}
