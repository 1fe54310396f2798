/** Whatever a report relies on is checked here, once. */
import { checkAttention, checkEnvironments, checkEpochs, checkResult } from '../run/check-record.ts';
import { nodeCountOf } from '../run/run-dataset.ts';
import type { ReportRun } from './report-run.ts';

/** Throws an error that names the file, `<folder>/summary.json`, and what is wrong in it. */
export function checkReportRun(
  { config, epochs, result, attention, environments }: ReportRun,
  folder: string,
): void {
  const nodeCount = within(folder, 'config.json', () => nodeCountOf(config));
  within(folder, 'metrics.jsonl', () => {
    checkEpochs(epochs);
    const most = Math.max(config.epochs, result?.epochs ?? 0);
    if (epochs.length > most || (result && epochs.length < most)) {
      const lines = result ? `${most} lines, as summary.json is there` : `at most ${most} lines`;
      throw new Error(`expected ${lines}, got ${epochs.length}`);
    }
  });
  within(folder, 'summary.json', () => result && checkResult(result));
  within(folder, 'attention.json', () => attention && checkAttention(attention, nodeCount));
  within(folder, 'environment.json', () => checkEnvironments(environments));
}

function within<T>(folder: string, file: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new Error(`report: ${folder}/${file}: ${(error as Error).message}`);
  }
}
