export { defaultStore, parseStoreAddress } from './store/address.ts';
export type { StoreAddress } from './store/address.ts';
export { isFull, isUnreachable, onceReachable } from './store/database.ts';
export type { Patience } from './store/database.ts';
export { rolesSql } from './store/roles.ts';
export { openStore } from './store/store.ts';
export type { OpenStoreOptions, Store } from './store/store.ts';
export { runId } from './store/run-id.ts';
export type { RunState } from './store/schema.ts';
export { addRuns } from './store/add.ts';
export type { Added } from './store/add.ts';
export { AttemptLostError, beat, takeRun } from './store/attempt.ts';
export type { Attempt, AttemptEnd, Progress, Taker } from './store/attempt.ts';
export { thisWorker } from './store/gone-workers.ts';
export { readStoredFiles, saveRun } from './store/files.ts';
export type { Saving } from './store/files.ts';
export { cancelRuns, matchFolders, retryRuns } from './store/change.ts';
export type { Choice } from './store/change.ts';
export { leftOf, runsOf, sweepsOf } from './store/status.ts';
export type { RunCounts, RunStatus, SweepStatus } from './store/status.ts';
export { arithmeticOf } from './worker/arithmetic.ts';
export { trainAttempt } from './worker/train-attempt.ts';
export type {
  AttemptOutcome,
  AttemptUnderWay,
  TrainAttemptOptions,
  Training,
  TrainingEnd,
} from './worker/train-attempt.ts';
