import { pairsOf } from '../dataset/dataset.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { SplitName } from '../dataset/splits.ts';
import { exactDestinations } from './exact-destinations.ts';
import { evaluateRanking } from './ranking-metrics.ts';
import type { RawAndFiltered } from './ranking-metrics.ts';

/**
 * The metrics of ranking by P(destination | source) itself: what no model beats in expectation.
 *
 * Exact ties are common (east then north-east is as likely as north-east then east). A model that orders a
 * tie at random gains hits over one that leaves it, and no order is better than another: so the ceiling
 * breaks ties.
 */
export function ceilingMetrics(dataset: Dataset, split: SplitName = 'test'): RawAndFiltered {
  return evaluateRanking(
    pairsOf(dataset, split),
    (source) => exactDestinations(dataset.world, source),
    'broken',
  );
}
