/** Runs of a folder that differ in nothing but seed and shuffling, taken together. */
import type { RawAndFiltered } from '@flowgrad/data';
import { bestShufflings, summarizeRuns, variantName, worldName } from '@flowgrad/evaluation';
import type { PaperMetrics, RunConfig, RunSummary } from '@flowgrad/evaluation';
import { readConfig, readEpochs, readResult, readRuns } from '@flowgrad/evaluation/node';
import type { EpochRecord, LeftOutRun } from '@flowgrad/evaluation/node';
import { meanRow } from './means.ts';
import { paperResult } from './paper-results.ts';

export interface RunGroup {
  readonly world: string;
  readonly variant: string;
  /** Run folders. */
  readonly runs: readonly string[];
  /** Over the runs' three best epochs each. */
  readonly raw: RunSummary;
  readonly filtered: RunSummary;
  /** Means over the runs' datasets; absent where one has none. */
  readonly ceiling?: RawAndFiltered;
  readonly paper?: PaperMetrics;
}

export interface FoundRuns {
  readonly groups: readonly RunGroup[];
  /** Folders of runs that are not done, and count nowhere. */
  readonly unfinished: readonly string[];
  /** What this user may not read, and counts nowhere. */
  readonly leftOut: readonly LeftOutRun[];
}

interface ReadRun {
  readonly folder: string;
  readonly config: RunConfig;
  readonly epochs: readonly EpochRecord[];
  readonly ceiling?: RawAndFiltered | undefined;
}

export async function groupRuns(
  root: string,
  { onlyBestShufflings = false }: { readonly onlyBestShufflings?: boolean } = {},
): Promise<FoundRuns> {
  const kinds = new Map<string, { world: string; variant: string; config: RunConfig; runs: ReadRun[] }>();
  const unfinished: string[] = [];
  const { runs: found, leftOut } = await readRuns(root, async (folder) => {
    const [config, result] = await Promise.all([readConfig(folder), readResult(folder)]);
    return { folder, config, result, epochs: config && result ? await readEpochs(folder) : [] };
  });
  for (const { folder, config, result, epochs } of found) {
    if (!config || !result) {
      unfinished.push(folder);
      continue;
    }
    const [world, variant] = [worldName(config), variantName(config)];
    // Two worlds or datasets of one's own may share a name.
    const key = `${JSON.stringify(config.group)} ${variant}`;
    const kind = kinds.get(key) ?? { world, variant, config, runs: [] };
    kind.runs.push({ folder, config, epochs, ceiling: result.ceiling });
    kinds.set(key, kind);
  }
  const groups = Array.from(kinds.values(), ({ world, variant, config, runs: all }): RunGroup => {
    const runs = onlyBestShufflings ? bestShufflings(all) : all;
    const epochs = runs.map((run) => run.epochs);
    const ceilings = runs.flatMap(({ ceiling }) => (ceiling ? [ceiling] : []));
    const paper = paperResult(config);
    return {
      world,
      variant,
      runs: runs.map(({ folder }) => folder),
      raw: summarizeRuns(epochs, 'raw'),
      filtered: summarizeRuns(epochs, 'filtered'),
      ...(ceilings.length === runs.length && {
        ceiling: {
          raw: meanRow(ceilings.map(({ raw }) => raw)),
          filtered: meanRow(ceilings.map(({ filtered }) => filtered)),
        },
      }),
      ...(paper && { paper }),
    };
  });
  return { groups, unfinished, leftOut };
}
