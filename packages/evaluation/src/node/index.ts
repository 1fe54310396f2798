export { attendedPart } from './attended-part.ts';
export type { AttendedOptions } from './attended-part.ts';
export { graphSvg } from '../report/attention/graph-svg.ts';
export { examineRun } from './examine-run.ts';
export type { Finding, KeptCheckpoint, RunExamination } from './examine-run.ts';
export { checksumOf, readRunFiles, writeRunFiles } from './moved-run.ts';
export type { RunFilesNow } from './moved-run.ts';
export { claimFolder } from './owned-folder.ts';
export type { ClaimOptions, OwnedFolder } from './owned-folder.ts';
export { isRunDone } from './prepare-run.ts';
export {
  findRuns,
  readAttention,
  readCheckpoint,
  readConfig,
  readEnvironments,
  readEpochs,
  readResult,
  readSnapshot,
} from './run-folder.ts';
export type { AttendedPart } from '../run/run-record.ts';
export type { AttentionRecord, Environment, EpochRecord, RunResult } from './run-folder.ts';
export type { FindRunsOptions } from './run-folder.ts';
export { readRuns } from './read-runs.ts';
export type { LeftOutRun, ReadRuns } from './read-runs.ts';
export { RunNaNError, trainRun } from './train-run.ts';
export type { RunEvent, TrainedRun, TrainRunOptions } from './train-run.ts';
export { writeReport } from './write-report.ts';
export type { WriteReportOptions, WrittenReport } from './write-report.ts';
