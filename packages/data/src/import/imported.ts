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

/** Lines, or examples that were made of them, that did not become part of the dataset. */
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
  /** What was imported and is probably a mistake, in sentences with what to do. */
  readonly warnings: readonly string[];
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
  readonly #lines = new Map<string, number>();
  readonly warnings: string[] = [];
  readonly #dropped: { readonly why: string; readonly where: string }[] = [];

  /** A file is known from its first line on, or as soon as it is opened if it has none. */
  read(file: string, lines: number): void {
    this.#lines.set(file, (this.#lines.get(file) ?? 0) + lines);
  }

  drop(why: string, where: string): void {
    this.#dropped.push({ why, where });
  }

  get lines(): number {
    return [...this.#lines.values()].reduce((sum, lines) => sum + lines, 0);
  }

  /** By reason, in the order in which they came up; of one file if it is given. */
  dropped(file?: string): DroppedLines[] {
    const found = new Map<string, { count: number; first: string }>();
    for (const { why, where } of this.#dropped) {
      if (file !== undefined && where.slice(0, where.lastIndexOf(':')) !== file) continue;
      const known = found.get(why);
      if (known) known.count += 1;
      else found.set(why, { count: 1, first: where });
    }
    return Array.from(found, ([why, each]) => ({ why, ...each }));
  }

  /** What came of a file, or of all of them, in words. */
  account(only?: string): string {
    const files = only === undefined ? [...this.#lines.keys()] : [only];
    return files
      .map((file) => {
        const lines = this.#lines.get(file) ?? 0;
        if (lines === 0) return `${file} is empty`;
        const dropped = this.dropped(file).map(
          ({ why, count, first }) => `dropped ${count}: ${why}, first ${first}`,
        );
        return [`${file} has ${lines} ${lines === 1 ? 'line' : 'lines'}`, ...dropped].join('; ');
      })
      .join('; ');
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
  count.read(name, 0);
  await readLines(name, chunks, (line, number) => {
    count.read(name, 1);
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
  /** The line that it was read from, `train.txt:12`. */
  readonly at: string;
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

/** Counts what is out of reach, drops it if that is wanted, and sums up. `fileOf` has the file of each part, if it has its own. */
export function finished(
  parts: Record<SplitName, Journey[]>,
  count: LineCount,
  { steps, unreachable: wanted = 'kept' }: ImportOptions,
  datasetOf: (parts: Record<SplitName, Journey[]>) => Dataset,
  fileOf?: Readonly<Record<SplitName, string>>,
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
    const gone = SPLIT_NAMES.flatMap((split) => {
      const hides = dataset.examples[split].hiddenEdges ? ' without the edge that is asked for' : '';
      const dropped = parts[split].filter((_, i) => far[split].has(i));
      for (const { at } of dropped) count.drop(`a destination farther than ${steps} steps${hides}`, at);
      return dropped;
    });
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
    const left = SPLIT_NAMES.map((each) => `${examples[each].count} in ${each}`).join(', ');
    const hint = fileOf ? '' : '; give more lines, or another split';
    throw new RangeError(
      `import: expected examples in each part, got none in ${split} ` +
        `(${count.account(fileOf?.[split])}; ${left} are left${hint})`,
    );
  }
  return {
    dataset,
    summary: {
      lines: count.lines,
      dropped: count.dropped(),
      warnings: count.warnings,
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
