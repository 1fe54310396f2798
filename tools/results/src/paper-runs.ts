/** The finished runs of the paper's models in a folder, each beside what the paper has. */
import { PAPER_RESULTS, variantName } from '@flowgrad/evaluation';
import type { PaperMetrics } from '@flowgrad/evaluation';
import { findRuns, readConfig, readResult } from '@flowgrad/evaluation/node';
import type { RunResult } from '@flowgrad/evaluation/node';

export interface PaperRun {
  readonly model: string;
  /** What its row is called: `GGNN`, `RW-Dynamic, mean` or `FullGN, 3 epochs`. */
  readonly row: string;
  /** SINE, LOCATION, HISTORY or LINE. */
  readonly dynamics: string;
  /** 0.2 or 0.5, the noise of the walks. */
  readonly sigma: string;
  readonly seed: number;
  readonly ours: RunResult['raw'];
  readonly paper: PaperMetrics;
  /** Of its dataset. */
  readonly ceiling: NonNullable<RunResult['ceiling']>['raw'];
}

/** Of the paper's deviations, how many ours lies above its mean. */
export const deviationsOf = (ours: number, [mean, deviation]: readonly [number, number]): number =>
  (ours - mean) / deviation;

export async function readPaperRuns(folder: string): Promise<PaperRun[]> {
  const runs: PaperRun[] = [];
  for (const each of await findRuns(folder)) {
    const [config, result] = [await readConfig(each), await readResult(each)];
    if (!config || !result || typeof config.group !== 'string') continue;
    const { group, model, seed } = config;
    const paper = PAPER_RESULTS.get(group)?.get(model);
    const row = rowOf(variantName(config));
    // With settings that the paper has not, a model is not the paper's.
    if (!paper || row.includes('+')) continue;
    const [, dynamics, sigma] = /^([A-Z]+)-SZ32-STP16-NDRP-STD(0\.[25])$/.exec(group) ?? [];
    // A run that no table has would be left out silently.
    if (!sigma) throw new Error(`results: expected a group that a table has, got ${group} of ${each}`);
    if (!result.ceiling) throw new Error(`results: expected a ceiling in ${each}/summary.json, got none`);
    const ceiling = result.ceiling.raw;
    runs.push({ model, row, dynamics, sigma, seed, ours: result.raw, paper, ceiling });
  }
  return runs;
}

/** Two departures from the paper have rows of their own: the global state's reduction, and fewer epochs. */
const rowOf = (variant: string): string =>
  variant.replace('+globalReduction=', ', ').replace(/\+epochs=(\d+)(\+learningRates=[^+]+)?/, ', $1 epochs');
