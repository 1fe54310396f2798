export { resolveRun, runEntries, variantName, worldName } from './run/run-config.ts';
export type { RunConfig, RunFeatures, RunModelOptions, RunSettings } from './run/run-config.ts';
export { cardOf, expectDataset, isCard } from './run/dataset-card.ts';
export type { DatasetCard } from './run/dataset-card.ts';
export {
  featureFields,
  flagOf,
  flatSettings,
  largeWorlds,
  nestedSettings,
  runFields,
} from './run/run-fields.ts';
export { isPruned, usualFeatures } from './run/run-fields.ts';
export { expectFeatures, suitedOptions } from './run/run-problems.ts';
export type { FlatSettings, SettingName } from './run/run-fields.ts';
export { checkEpochs, checkPosition } from './run/check-record.ts';
export { manifestOf } from './run/manifest.ts';
export type { ListedFile } from './run/manifest.ts';
export { runFiles } from './run/run-files.ts';
export type { RunUnderWay, Snapshot } from './run/run-files.ts';
export type { Checkpoint, Position } from './training/checkpoint.ts';
export { stepsDone } from './training/checkpoint.ts';
export { deviceRecovery } from './training/device-recovery.ts';
export type { DeviceRecovery } from './training/device-recovery.ts';
export { evaluateSplit } from './training/evaluate.ts';
export { locateNaN } from './training/locate-nan.ts';
export type { LocatedNaN } from './training/locate-nan.ts';
export { distinctQuestions, NotFiniteError, predict } from './training/predict.ts';
export type { AttentionFlow, PredictOptions, Prediction, Predictor, Questions } from './training/predict.ts';
export { createTrainer } from './training/trainer.ts';
export type { TrainedStep, Trainer, TrainerOptions } from './training/trainer.ts';
export { training } from './training/training.ts';
export type { TrainingEvent } from './training/training.ts';
export { attentionOnPath, distanceToWalker, flowMetrics } from './metrics/flow-metrics.ts';
export type { FlowMetrics } from './metrics/flow-metrics.ts';
export { visitedShare } from './metrics/visited-share.ts';
export {
  bestEpochs,
  bestShufflings,
  nearlyBest,
  rankingOf,
  epochsToKeep,
  isLowerBetter,
  metricNames,
  snapshotCount,
  summarizeRuns,
} from './metrics/best-epochs.ts';
export type {
  CandidateRun,
  MetricName,
  MetricSummary,
  RankingName,
  RunSummary,
} from './metrics/best-epochs.ts';
export { lineSchema, metricsSchema, positionSchema } from './run/run-record.ts';
export type { AttentionRecord, Environment, EpochMetrics, EpochRecord, RunResult } from './run/run-record.ts';
export { PAPER_RESULTS } from './paper/paper-results.ts';
export type { PaperMetrics } from './paper/paper-results.ts';
export { lineChart } from './report/chart/line-chart.ts';
export type { LineChartOptions } from './report/chart/line-chart.ts';
export type { ChartEstimate, ChartLevel, ChartLine } from './report/chart/chart-marks.ts';
export { chartStyle } from './report/chart/chart-style.ts';
export { linearScale } from './report/chart/scale.ts';
export type { Scale, ScaleOptions } from './report/chart/scale.ts';
export { checkReportRun } from './report/check-run.ts';
export { reportHtml } from './report/report-html.ts';
export type { ReportOptions } from './report/report-html.ts';
export type { ReportRun } from './report/report-run.ts';
