import type { Position } from '../run/run-record.ts';

export type { Position } from '../run/run-record.ts';

/** Everything that the rest of a run depends on. */
export interface Checkpoint {
  readonly position: Position;
  /** A safetensors file of the model; its metadata has the run's configuration as `run`. */
  readonly parameters: Uint8Array<ArrayBuffer>;
  /** A safetensors file of the optimiser. */
  readonly adam: Uint8Array<ArrayBuffer>;
}

/** Updates made since the beginning. */
export function stepsDone({ epoch, losses }: Position, stepsPerEpoch: number): number {
  return epoch * stepsPerEpoch + losses.length;
}
