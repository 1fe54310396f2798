/** Whether metrics.jsonl has as many lines as the other files of the run say. */
import { checkpointFolder } from '../run/run-files.ts';
import type { RunResult } from '../run/run-record.ts';

interface OtherFiles {
  /** The latest checkpoint that is whole, and the epochs before it. */
  readonly latest?: { readonly step: number; readonly epoch: number };
  /** Whether no newer one is damaged. */
  readonly isLatest: boolean;
  readonly result?: RunResult;
}

/** How the number of lines contradicts the other files. */
export function linesProblem(lines: number, { latest, isLatest, result }: OtherFiles): string | undefined {
  if (result && result.epochs !== lines)
    return `expected ${result.epochs} lines, as summary.json is there, got ${lines}`;
  if (!latest) {
    // An older release that was killed in its first epoch may have left a line, which comes again.
    return lines > 1 && isLatest && !result
      ? `expected no lines without a whole one of checkpoints/, got ${lines}`
      : undefined;
  }
  const { epoch, step } = latest;
  if (lines >= epoch && (lines <= epoch + 1 || !isLatest)) return undefined;
  const at = `${checkpointFolder(step)}/position.json`;
  return `expected a line for each of the ${epoch} epochs in ${at}, got ${lines}`;
}
