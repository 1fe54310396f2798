/** From where a run goes on: its latest checkpoint, or what was asked for. */
import { checkpointFolder } from '../run/run-files.ts';
import type { Environment, EpochRecord } from '../run/run-record.ts';
import { examineRun } from './examine-run.ts';
import type { KeptCheckpoint, RunExamination } from './examine-run.ts';

export interface Resumption {
  /** Absent at the very beginning. */
  readonly checkpoint?: KeptCheckpoint;
  /** Checkpoints that stay, latest first; `checkpoint` is the first of them. */
  readonly checkpoints: readonly KeptCheckpoint[];
  readonly epochs: readonly EpochRecord[];
  readonly environments: readonly Environment[];
  /** What is wrong and can be done without, in sentences. */
  readonly notes: readonly string[];
  /** Whether a file of the run is not needed any more. */
  isObsolete(this: void, path: string): boolean;
}

/** Throws if something is wrong that would be lost in silence; the error says what it is and what can be done. */
export async function planResume(folder: string, fromEpoch?: number): Promise<Resumption> {
  const examined = await examineRun(folder);
  const { fromEpochs, environments = [] } = examined;
  if (fromEpoch !== undefined && !fromEpochs.includes(fromEpoch)) {
    throw new RangeError(`train: expected --from-epoch ${choices(examined)}, got ${fromEpoch}`);
  }
  const isOfCheckpoint = (file: string): boolean => file.startsWith('checkpoints/');
  const others = examined.findings.filter(({ file }) => !isOfCheckpoint(file));
  const ofCheckpoints = examined.findings.filter(({ file }) => isOfCheckpoint(file));
  const isHopeless = ofCheckpoints.length > 0 && examined.checkpoints.length === 0;
  const [worst] = [...others, ...(isHopeless ? ofCheckpoints : [])];
  if (worst && fromEpoch === undefined) {
    throw new Error(
      `train: ${folder}/${worst.file}: ${worst.problem} (--resume --from-epoch ${choices(examined)})`,
    );
  }
  const usable = examined.checkpoints.filter(
    ({ position, epochs }) => epochs && (fromEpoch === undefined || position.epoch === fromEpoch),
  );
  const checkpoint = fromEpoch === 0 ? undefined : usable.at(0);
  const checkpoints = checkpoint ? examined.checkpoints.filter(({ step }) => step <= checkpoint.step) : [];
  const stays = new Set(checkpoints.map(({ step }) => checkpointFolder(step)));
  const done = checkpoint?.position.epoch ?? 0;
  const damaged = new Set(examined.findings.map(({ file }) => file));
  return {
    ...(checkpoint && { checkpoint }),
    checkpoints,
    epochs: checkpoint?.epochs ?? [],
    environments,
    notes: examined.findings.map(
      ({ file, problem }) => `${folder}/${file}: ${problem}; going on after epoch ${done} without it`,
    ),
    isObsolete: (path) => {
      if (isOfCheckpoint(path)) return !stays.has(path.slice(0, path.lastIndexOf('/')));
      const epoch = Number(/^snapshots\/epoch-(\d+)/.exec(path)?.[1] ?? 0);
      return epoch > done || path === 'summary.json' || path === 'attention.json' || damaged.has(path);
    },
  };
}

/** `0 begins anew; 3 or 4 go on from a checkpoint`. */
function choices({ fromEpochs }: RunExamination): string {
  const later = fromEpochs.filter((epoch) => epoch > 0);
  if (later.length === 0) return '0 begins anew; there is no whole checkpoint to go on from';
  return `${later.join(' or ')} goes on after that epoch, 0 begins anew`;
}
