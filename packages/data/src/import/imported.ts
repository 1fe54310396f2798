/** What all importers have in common: lines with places, what is dropped, and the summary of what came of a file. */
import { SPLIT_NAMES } from '../dataset.ts';
import type { Dataset, Examples, SplitName } from '../dataset.ts';
import { findUnreachable } from '../folder/expect-ways.ts';
import { DatasetFormatError, quoted } from '../folder/format-error.ts';
import { readLines } from '../folder/text-lines.ts';
import type { Chunks } from '../folder/text-lines.ts';
import { RandomStream, SPLIT_STREAM } from '../random-stream.ts';

/** A file to import, and what messages call it. */
export interface ImportedFile {
  readonly name: string;
  readonly chunks: Chunks;
}

/** What every importer can be told. */
export interface ImportOptions {
  /** What the dataset is called. */
  readonly name: string;
  /** How many steps a model is to take. */
  readonly steps: number;
  /** The parts for training, validation and test, where the files do not say: 0.8, 0.1 and 0.1 unless given. */
  readonly split?: readonly [train: number, valid: number, test: number];
  /** Of the split; 1 unless given. */
  readonly seed?: number;
  /**
   * What becomes of examples whose destination is farther than the steps, for training examples that ask for an edge without
   * that edge and its inverse: kept unless given.
   */
  readonly unreachable?: 'kept' | 'dropped';
}

/** Lines that did not become part of the dataset. */
export interface DroppedLines {
  readonly why: string;
  readonly count: number;
  /** The first of them, `train.txt:12`. */
  readonly first: string;
}

/** What an importer made of its files. */
export interface ImportSummary {
  readonly lines: number;
  readonly dropped: readonly DroppedLines[];
  readonly nodes: number;
  readonly edges: number;
  readonly edgeTypes: number;
  readonly queries: number;
  /** How many there are in each part. */
  readonly examples: Readonly<Record<SplitName, number>>;
  /**
   * Examples whose destination is farther than the steps, in each part; those without any way are among them. In train, the
   * asked edge and its inverse are no way, as they are hidden in training.
   */
  readonly unreachable: Readonly<Record<SplitName, number>>;
  /** Of these, those to which no way leads at all. */
  readonly noWay: number;
}

/** A dataset and what was seen on the way to it. */
export interface Imported {
  readonly dataset: Dataset;
  readonly summary: ImportSummary;
}

/** Counts lines, and keeps which of them were dropped and why. */
export class LineCount {
  lines = 0;
  readonly #dropped = new Map<string, { count: number; first: string }>();

  drop(why: string, where: string): void {
    const known = this.#dropped.get(why);
    if (known) known.count += 1;
    else this.#dropped.set(why, { count: 1, first: where });
  }

  dropped(): DroppedLines[] {
    return Array.from(this.#dropped, ([why, found]) => ({ why, ...found }));
  }
}

/** The tab-separated fields of every line that is not empty. Their number has to be among `widths`. */
export async function readFields(
  { name, chunks }: ImportedFile,
  count: LineCount,
  widths: { readonly least: number; readonly most: number; readonly what: string },
  onFields: (fields: string[], where: string) => void,
): Promise<void> {
  const { least, most, what } = widths;
  await readLines(name, chunks, (line, number) => {
    count.lines += 1;
    const where = `${name}:${number}`;
    if (line.trim() === '') return count.drop('empty', where);
    const fields = line.split('\t');
    if (fields.length < least || fields.length > most || fields.includes('')) {
      throw new DatasetFormatError(where, `${what}, separated by tabs`, quoted(line));
    }
    onFields(fields, where);
  });
}

/** An example before it is known in which part it is. */
export interface Journey {
  readonly source: number;
  readonly destination: number;
  readonly query?: number;
  readonly path?: readonly number[];
}

export function examplesOf(journeys: readonly Journey[], of: { asks: boolean; paths: boolean }): Examples {
  return {
    count: journeys.length,
    sources: Int32Array.from(journeys, ({ source }) => source),
    destinations: Int32Array.from(journeys, ({ destination }) => destination),
    ...(of.asks && { queries: Int32Array.from(journeys, ({ query }) => query!) }),
    ...(of.paths && { path: (example) => Int32Array.from(journeys[example].path!) }),
  };
}

/** Parts by chance. Journeys with the same ends and the same question are in one part. */
export function splitJourneys(
  journeys: readonly Journey[],
  { split = [0.8, 0.1, 0.1], seed = 1 }: Pick<ImportOptions, 'split' | 'seed'>,
): Record<SplitName, Journey[]> {
  const total = split[0] + split[1] + split[2];
  if (!split.every((part) => part > 0) || !(Math.abs(total - 1) < 1e-6)) {
    throw new RangeError(`import: expected three parts above 0 whose sum is 1, got ${split.join(', ')}`);
  }
  const questions = new Map<string, Journey[]>();
  for (const journey of journeys) {
    const key = `${journey.source} ${journey.query} ${journey.destination}`;
    const same = questions.get(key);
    if (same) same.push(journey);
    else questions.set(key, [journey]);
  }
  const all = [...questions.values()];
  const order = new RandomStream(seed, SPLIT_STREAM).permutation(all.length);
  const [first, second] = [split[0], split[0] + split[1]].map((part) => Math.round(part * all.length));
  const part = (from: number, to: number): Journey[] =>
    Array.from(order.subarray(from, to).sort()).flatMap((question) => all[question]);
  return { train: part(0, first), valid: part(first, second), test: part(second, all.length) };
}

/** Counts what is out of reach, drops it if that is wanted, and sums up. */
export function finished(
  parts: Record<SplitName, Journey[]>,
  count: LineCount,
  { steps, unreachable: wanted = 'kept' }: ImportOptions,
  datasetOf: (parts: Record<SplitName, Journey[]>) => Dataset,
): Imported {
  const counts = { train: 0, valid: 0, test: 0 };
  let noWay = 0;
  let dataset = datasetOf(parts);
  const far = { train: new Set<number>(), valid: new Set<number>(), test: new Set<number>() };
  findUnreachable(dataset.graph, steps, dataset.examples, ({ split, example, hops }) => {
    counts[split] += 1;
    far[split].add(example);
    if (hops === undefined) noWay += 1;
  });
  if (wanted === 'dropped') {
    const left = (split: SplitName): Journey[] => parts[split].filter((_, i) => !far[split].has(i));
    const gone = SPLIT_NAMES.flatMap((split) => parts[split].filter((_, i) => far[split].has(i)));
    dataset = datasetOf({ train: left('train'), valid: left('valid'), test: left('test') });
    // A dropped triple of train is still an edge, which other questions lead along: the filtered ranking has to know it as true.
    const asksEdges = dataset.examples.train.hiddenEdges !== undefined;
    if (asksEdges && gone.length > 0) {
      dataset = { ...dataset, alsoTrue: examplesOf(gone, { asks: true, paths: false }) };
    }
  }
  const { graph, examples, queryNames } = dataset;
  for (const split of SPLIT_NAMES) {
    if (examples[split].count > 0) continue;
    throw new RangeError(`import: expected examples in each part, got none in ${split}`);
  }
  return {
    dataset,
    summary: {
      lines: count.lines,
      dropped: count.dropped(),
      nodes: graph.nodeCount,
      edges: graph.edgeCount,
      edgeTypes: graph.edgeTypeCount,
      queries: queryNames?.length ?? 0,
      examples: { train: examples.train.count, valid: examples.valid.count, test: examples.test.count },
      unreachable: counts,
      noWay,
    },
  };
}
