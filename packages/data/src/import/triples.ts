import { hiddenEdgesOf, inverseName } from '../asked-edges.ts';
import type { Dataset, SplitName } from '../dataset.ts';
import { DatasetFormatError, quoted } from '../folder/format-error.ts';
import { EdgeCollection } from './edges.ts';
import { examplesOf, finished, LineCount, readFields, splitJourneys } from './imported.ts';
import type { Imported, ImportedFile, ImportOptions, Journey } from './imported.ts';

/** What is asked of triples. */
export interface TriplesOptions extends ImportOptions {
  /** 'tails': from the head, by the relation, for the tail. 'both': also from the tail, by the inverse. 'tails' unless given. */
  readonly ask?: 'tails' | 'both';
}

/**
 * A knowledge graph of lines head, relation, tail: one file, which is split, or three of train, valid and test. The edges are
 * those of train and their inverses, `relation^-1`; an example asks for the tail, with the relation as its query.
 */
export async function importTriples(
  files: readonly ImportedFile[],
  options: TriplesOptions,
): Promise<Imported> {
  if (files.length !== 1 && files.length !== 3) {
    throw new RangeError(`import: expected one file of triples or three, got ${files.length}`);
  }
  const [count, edges, seen] = [new LineCount(), new EdgeCollection(), new Map<string, string>()];
  const { nodes, types } = edges;
  const headers: string[] = [];
  const read = async (file: ImportedFile): Promise<Journey[]> => {
    const found: Journey[] = [];
    await readFields(file, count, { least: 3, most: 3, what: 'head, relation and tail' }, (fields, at) => {
      const where = (): string => at;
      const [head, relation, tail] = fields;
      if (at === `${file.name}:1` && isHeader(fields)) headers.push(at);
      if (inverseName(relation).length < relation.length) {
        throw new DatasetFormatError(at, 'a relation that does not end as inverses do', quoted(relation));
      }
      const journey = {
        source: nodes.read(head, where),
        destination: nodes.read(tail, where),
        query: types.read(relation, where),
        at,
      };
      const key = `${journey.source} ${journey.query} ${journey.destination}`;
      const before = seen.get(key);
      if (before === file.name) return count.drop('the same triple again', at);
      if (before !== undefined) return count.drop(`a triple of ${before} again`, at);
      seen.set(key, file.name);
      found.push(journey);
    });
    return found;
  };
  const lists: Journey[][] = [];
  for (const file of files) lists.push(await read(file));
  if (headers.length > 0) {
    count.warnings.push(
      `${headers.join(', ')}: expected a triple, got what looks like the names of columns; it was imported as a triple ` +
        '(if it is none, delete the line and import again)',
    );
  }
  const parts: Record<SplitName, Journey[]> =
    lists.length === 1
      ? splitJourneys(lists[0], options)
      : { train: lists[0], valid: lists[1], test: lists[2] };

  const relations = [...types.names!];
  const inverses = relations.map((name) => types.read(inverseName(name), () => name));
  for (const { source, destination, query } of parts.train) edges.add(source, query!, destination);
  for (const { source, destination, query } of parts.train) edges.add(destination, inverses[query!], source);
  const asked = (part: Journey[]): Journey[] =>
    options.ask !== 'both'
      ? part
      : part.flatMap((journey) => {
          const { source, destination, query } = journey;
          return [journey, { ...journey, source: destination, destination: source, query: inverses[query!] }];
        });
  const { name, steps } = options;
  const graph = edges.graph();
  const both = { train: asked(parts.train), valid: asked(parts.valid), test: asked(parts.test) };
  const [train, valid, test] = files.map((file) => file.name);
  const fileOf = files.length === 3 ? { train, valid, test } : undefined;
  const datasetOf = (left: Record<SplitName, Journey[]>): Dataset => {
    const of = (split: SplitName) => examplesOf(left[split], { asks: true, paths: false });
    const train = of('train');
    const hiddenEdges = hiddenEdgesOf(graph, types.names!, train);
    const examples = { train: { ...train, hiddenEdges }, valid: of('valid'), test: of('test') };
    return { name, steps, graph, examples, ...edges.labels(), queryNames: types.names! };
  };
  return finished(both, count, options, datasetOf, fileOf);
}

/** What files call their columns. */
const columns = [
  ['head', 'subject', 'source'],
  ['relation', 'predicate'],
  ['tail', 'object', 'target'],
];

const isHeader = (fields: readonly string[]): boolean =>
  columns.every((names, i) => names.includes(fields[i].trim().toLowerCase()));
