/** Runs by dataset group and, within one, by what was trained there. */
import type { RankingMetrics, RawAndFiltered } from '@flowgrad/data';
import { DATASET_GROUPS } from '@flowgrad/gridworld';
import { modelNames } from '@flowgrad/models';
import { isLowerBetter, metricNames } from '../metrics/best-epochs.ts';
import type { MetricName, RankingName, RunSummary } from '../metrics/best-epochs.ts';
import { PAPER_RESULTS } from '../paper/paper-results.ts';
import type { PaperMetrics } from '../paper/paper-results.ts';
import { variantName, worldName } from '../run/run-config.ts';
import { isTrained } from './report-run.ts';
import type { ReportRun } from './report-run.ts';

/** Runs that differ in nothing but seed and shuffling. */
export interface Variant {
  readonly name: string;
  /** Of its lines; the same in all groups. */
  readonly look: number;
  readonly runs: readonly ReportRun[];
  /** The runs that its numbers are of: the trained ones or, as long as there are none, those under way. */
  readonly counted: readonly ReportRun[];
  readonly isUnderWay: boolean;
  readonly paper?: PaperMetrics;
}

export interface RunGroup {
  readonly name: string;
  readonly variants: readonly Variant[];
  /** Seed → the ceiling of its dataset, as far as a run that is done has told. */
  readonly ceilings: ReadonlyMap<number, RawAndFiltered>;
}

export interface GroupedRuns {
  readonly groups: readonly RunGroup[];
  /** Departures from the paper's protocol that all runs share, and that names therefore leave out: `epochs=15`. */
  readonly shared: readonly string[];
}

export function groupRuns(runs: readonly ReportRun[]): GroupedRuns {
  const shared = runs
    .map(departuresOf)
    .reduce(
      (common, parts) => common.filter((part) => parts.includes(part)),
      runs.slice(0, 1).flatMap(departuresOf),
    );
  const nameOf = (run: ReportRun): string =>
    [run.config.model, ...departuresOf(run).filter((part) => !shared.includes(part))].join('+');
  const ordered = runs.toSorted(
    (a, b) =>
      modelNames.indexOf(a.config.model) - modelNames.indexOf(b.config.model) ||
      compare(nameOf(a), nameOf(b)) ||
      a.config.seed - b.config.seed ||
      a.config.shuffling - b.config.shuffling,
  );
  const names = [...new Set(ordered.map(nameOf))];

  const byGroup = new Map<string, ReportRun[]>();
  for (const run of ordered) {
    // Two worlds of one's own may share a name.
    const key = JSON.stringify(run.config.group);
    byGroup.set(key, [...(byGroup.get(key) ?? []), run]);
  }
  const groups = [...byGroup.values()].map((own): RunGroup => {
    const variants = names.flatMap((name, look) => {
      const same = own.filter((run) => nameOf(run) === name);
      return same.length === 0 ? [] : [variantOf(name, look, same)];
    });
    return { name: worldName(own[0].config), variants, ceilings: ceilingsOf(own) };
  });
  return { groups: groups.toSorted((a, b) => rank(a) - rank(b) || compare(a.name, b.name)), shared };
}

const departuresOf = ({ config }: ReportRun): string[] => variantName(config).split('+').slice(1);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The paper's groups in its order, then the others. */
const rank = ({ name }: RunGroup): number => {
  const place = DATASET_GROUPS.indexOf(name);
  return place < 0 ? DATASET_GROUPS.length : place;
};

function variantOf(name: string, look: number, runs: readonly ReportRun[]): Variant {
  const trained = runs.filter(isTrained);
  const begun = runs.filter(({ epochs }) => epochs.length > 0);
  const { group, model } = runs[0].config;
  // A world of one's own is not the paper's, whatever its name.
  const paper = typeof group === 'string' ? PAPER_RESULTS.get(group)?.get(model) : undefined;
  return {
    name,
    look,
    runs,
    counted: trained.length > 0 ? trained : begun,
    isUnderWay: trained.length === 0,
    ...(paper && { paper }),
  };
}

function ceilingsOf(runs: readonly ReportRun[]): Map<number, RawAndFiltered> {
  return new Map(
    runs.flatMap(({ config, result }) => (result?.ceiling ? [[config.seed, result.ceiling]] : [])),
  );
}

/** The seeds of a variant's datasets, each once. */
export const seedsOf = ({ counted }: Variant): number[] =>
  [...new Set(counted.map(({ config }) => config.seed))].sort((a, b) => a - b);

/** The different sets of seeds that the variants of a group were trained on. */
export function seedSets({ variants }: RunGroup): number[][] {
  const sets = variants.map(seedsOf).filter(({ length }) => length > 0);
  return [...new Map(sets.map((seeds) => [seeds.join(), seeds])).values()];
}

/**
 * How near a variant comes to the ceilings of its own datasets: its mean divided by theirs, or theirs by its where less is
 * better, so that 1 is all there is. Undefined unless each ceiling is known.
 */
export function shareOfCeiling(
  group: RunGroup,
  variant: Variant,
  summary: RunSummary,
  ranking: RankingName,
): Readonly<Record<MetricName, number>> | undefined {
  const ceiling = meanCeiling(group, seedsOf(variant), ranking);
  if (!ceiling) return undefined;
  const share = (metric: MetricName): number => {
    const ratio = summary[metric].mean / ceiling[metric];
    return isLowerBetter(metric) ? 1 / ratio : ratio;
  };
  return Object.fromEntries(metricNames.map((metric) => [metric, share(metric)])) as Record<
    MetricName,
    number
  >;
}

/** The mean ceiling over datasets; undefined unless that of each is known. */
export function meanCeiling(
  { ceilings }: RunGroup,
  seeds: readonly number[],
  ranking: RankingName,
): RankingMetrics | undefined {
  const known = seeds.flatMap((seed) => ceilings.get(seed)?.[ranking] ?? []);
  if (known.length === 0 || known.length < seeds.length) return undefined;
  const mean = (metric: MetricName): number =>
    known.reduce((sum, each) => sum + each[metric], 0) / known.length;
  return Object.fromEntries(metricNames.map((metric) => [metric, mean(metric)])) as unknown as RankingMetrics;
}
