import { SPLIT_STREAM } from '@flowgrad/data';

/**
 * What random numbers are drawn for; see `RandomStream`. The numbers are part of the dataset format: never renumber
 * them.
 */
export const STREAMS = { mapNodes: 0, mapEdges: 1, trajectories: 2, split: SPLIT_STREAM } as const;
