export { SPLIT_NAMES } from './dataset.ts';
export type { Dataset, Examples, NodeFeatures, Positions, SplitName } from './dataset.ts';
export { createRanking, evaluateRanking, questionsOf, rankOf, summarizeRanks } from './ranking-metrics.ts';
export type {
  Question,
  Questions,
  Ranking,
  RankingMetrics,
  RankingOptions,
  RawAndFiltered,
  SharedRank,
  Ties,
} from './ranking-metrics.ts';
export { trueDestinations } from './true-destinations.ts';
export { checkSeed, RandomStream, shufflingOrder, SPLIT_STREAM } from './random-stream.ts';
export { INVERSE, inverseName } from './asked-edges.ts';
export { findUnreachable } from './folder/expect-ways.ts';
export type { Unreachable } from './folder/expect-ways.ts';
export { DATASET_FILES } from './folder/files.ts';
export type { DatasetFile } from './folder/files.ts';
export { DatasetFormatError } from './folder/format-error.ts';
export { readDataset } from './folder/read-dataset.ts';
export type { OpenFile } from './folder/read-dataset.ts';
export type { Chunks } from './folder/text-lines.ts';
export { writeDataset } from './folder/write-dataset.ts';
export type {
  DroppedLines,
  Imported,
  ImportedFile,
  ImportOptions,
  ImportSummary,
} from './import/imported.ts';
export { importPaths, importTrips } from './import/journeys.ts';
export { importTriples } from './import/triples.ts';
export type { TriplesOptions } from './import/triples.ts';
