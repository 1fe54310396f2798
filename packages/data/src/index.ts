export { SPLIT_NAMES } from './dataset.ts';
export type { Dataset, Examples, NodeFeatures, Positions, SplitName } from './dataset.ts';
export { evaluateRanking, rankOf, summarizeRanks } from './ranking-metrics.ts';
export type {
  Questions,
  RankingMetrics,
  RankingOptions,
  RawAndFiltered,
  SharedRank,
  Ties,
} from './ranking-metrics.ts';
export { trueDestinations } from './true-destinations.ts';
export { checkSeed, RandomStream, shufflingOrder, SPLIT_STREAM } from './random-stream.ts';
