import { evaluateRanking } from '@flowgrad/data';
import type { RawAndFiltered, SplitName } from '@flowgrad/data';
import type { TrajectoryDataset } from '../dataset/dataset.ts';
import type { World } from '../world/world.ts';
import { exactDestinations } from './exact-destinations.ts';

/**
 * The metrics of ranking by P(destination | source) itself: what no model beats in expectation.
 *
 * Exact ties are common (east then north-east is as likely as north-east then east). A model that orders a
 * tie at random gains hits over one that leaves it, and no order is better than another: so the ceiling
 * breaks ties.
 */
export function ceilingMetrics(
  { examples, world }: Pick<TrajectoryDataset, 'examples'> & { readonly world: World },
  split: SplitName = 'test',
): RawAndFiltered {
  return evaluateRanking(examples[split], (source) => exactDestinations(world, source), { ties: 'broken' });
}
