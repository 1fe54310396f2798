/** The scores of finished runs beside the ceiling and the paper's. */
import { variantName, worldName } from '@flowgrad/evaluation';
import type { RunConfig } from '@flowgrad/evaluation';
import type { RunResult } from '@flowgrad/evaluation/node';
import { textTable } from '@flowgrad/files';
import { meanCells, metricCells, metricTitles, summaryCells } from './metrics-text.ts';
import { paperCells, paperResult } from './paper-results.ts';

export interface FinishedRun {
  readonly config: RunConfig;
  readonly result: RunResult;
}

const whatCounts = (epochs: number): string => {
  if (epochs === 1) return 'after its one epoch';
  return `mean ± deviation of the ${epochs === 2 ? 'two epochs' : 'three epochs best on validation'}`;
};

/** Runs of one dataset, whose ceiling is the same. `nameOf` tells them apart. */
export function scoreTable(
  runs: readonly FinishedRun[],
  nameOf: (config: RunConfig) => string = variantName,
): string {
  const [{ config, result }] = runs;
  const world = worldName(config);
  // One number deviates from nothing.
  const cells = result.epochs === 1 ? meanCells : summaryCells;
  const rows = runs.flatMap((run) => {
    const name = nameOf(run.config);
    const paper = paperResult(run.config);
    return [
      [name, ...cells(run.result.raw)],
      [`${name}, filtered`, ...cells(run.result.filtered)],
      ...(paper ? [[`${run.config.model}, the paper's`, ...paperCells(paper)]] : []),
    ];
  });
  const { ceiling } = result;
  const ceilings = ceiling
    ? [
        ['ceiling', ...metricCells(ceiling.raw)],
        ['ceiling, filtered', ...metricCells(ceiling.filtered)],
      ]
    : [];
  return [
    `${world}, seed ${config.seed}, test split: ${whatCounts(result.epochs)}`,
    '',
    textTable(['', ...metricTitles], [...rows, ...ceilings]),
  ].join('\n');
}
