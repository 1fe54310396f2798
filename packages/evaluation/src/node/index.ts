export { readAttention, readResult } from './finish-run.ts';
export type { AttentionRecord, RunResult } from './finish-run.ts';
export {
  findRuns,
  readCheckpoint,
  readConfig,
  readEnvironments,
  readEpochs,
  readSnapshot,
} from './run-folder.ts';
export type { Environment, EpochRecord } from './run-folder.ts';
export { describeBackend, RunNaNError, trainRun } from './train-run.ts';
export type { RunEvent, TrainedRun, TrainRunOptions } from './train-run.ts';
export { writeReport } from './write-report.ts';
export type { WrittenReport } from './write-report.ts';
