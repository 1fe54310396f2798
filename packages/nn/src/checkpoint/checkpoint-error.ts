import { showNames } from '../safetensors/safetensors-error.ts';

/** How a file differs from what it was to be loaded into; everything that differs, at once. */
export interface Differences {
  /** Names that the file lacks. */
  readonly missing: readonly string[];
  /** Names that only the file has. */
  readonly unexpected: readonly string[];
  /** `name: expected float32 [2, 3], got F32 [3, 2]` */
  readonly mismatched: readonly string[];
}

/** A file that does not fit. Nothing was loaded from it. */
export class CheckpointError extends Error implements Differences {
  override readonly name = 'CheckpointError';
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
  readonly mismatched: readonly string[];

  constructor(where: string, { missing, unexpected, mismatched }: Differences) {
    const parts = [
      ...(missing.length > 0 ? [`no ${showNames(missing)}`] : []),
      ...(unexpected.length > 0 ? [`unexpected ${showNames(unexpected)}`] : []),
      ...mismatched.slice(0, 10),
      ...(mismatched.length > 10 ? [`${mismatched.length - 10} more that differ`] : []),
    ];
    super(`${where}: expected the tensors it loads into, got a file with ${parts.join('; ')}`);
    this.missing = missing;
    this.unexpected = unexpected;
    this.mismatched = mismatched;
  }
}
