import { RandomStream } from '@flowgrad/data';
import type { SplitName } from '@flowgrad/data';
import { STREAMS } from '../random/streams.ts';
import type { Trajectories } from './trajectories.ts';

/** The trajectories of each part, by index, ascending. All trajectories of one source are in one part. */
export type Splits = Readonly<Record<SplitName, Int32Array>>;

/**
 * 8:1:1 by source node: ⌊0.8 n⌋ sources to train, half of the rest to valid, the remainder to test. Of three to five
 * nodes two are kept from training, so that no part is empty.
 */
export function splitBySource(trajectories: Trajectories, nodeCount: number, seed: number): Splits {
  const order = new RandomStream(seed, STREAMS.split).permutation(nodeCount);
  const trainCount = Math.max(0, Math.min(Math.floor((nodeCount * 4) / 5), nodeCount - 2));
  const validEnd = trainCount + Math.floor((nodeCount - trainCount) / 2);
  const partOfNode = new Uint8Array(nodeCount);
  order.forEach((node, rank) => {
    partOfNode[node] = rank < trainCount ? 0 : rank < validEnd ? 1 : 2;
  });
  const indices = Int32Array.from({ length: trajectories.count }, (_, i) => i);
  const part = (wanted: number): Int32Array =>
    indices.filter((i) => partOfNode[trajectories.sources[i]] === wanted);
  return { train: part(0), valid: part(1), test: part(2) };
}
