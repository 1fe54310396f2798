/** A dataset from its files, whoever wrote them: every mistake is an error with file and line. */
import { createGraph } from '@flowgrad/graph';
import type { Graph } from '@flowgrad/graph';
import { hiddenEdgesOf } from '../asked-edges.ts';
import { SPLIT_NAMES } from '../dataset.ts';
import type { Dataset, Examples, SplitName } from '../dataset.ts';
import { expectWays } from './expect-ways.ts';
import { ALSO_TRUE, columnsOf, EDGES, EXAMPLES, NODES } from './files.ts';
import type { DatasetFile } from './files.ts';
import { DatasetFormatError, quoted } from './format-error.ts';
import { IntList } from './int-list.ts';
import { decodeManifest, MANIFEST } from './manifest.ts';
import { names, numbers } from './naming.ts';
import type { Naming } from './naming.ts';
import { readNodes } from './read-nodes.ts';
import { readTable } from './table.ts';
import { readLines } from './text-lines.ts';
import type { Chunks } from './text-lines.ts';

/** The content of a file of a dataset folder; undefined where there is none. */
export type OpenFile = (file: DatasetFile) => Chunks | undefined | Promise<Chunks | undefined>;

/** Reads the files of a dataset folder: see the README for what they hold. */
export async function readDataset(open: OpenFile): Promise<Dataset> {
  const needed = async (file: DatasetFile): Promise<Chunks> => {
    const chunks = await open(file);
    if (chunks) return chunks;
    throw new DatasetFormatError(file, 'a file', 'none');
  };
  const manifest = decodeManifest(await textOf(MANIFEST, await needed(MANIFEST)));
  const { name, steps } = manifest;
  const nodes = namingOf('a node', 'nodes', manifest.nodes);
  const types = namingOf('an edge type', 'edgeTypes', manifest.edgeTypes);

  const listed = await open(NODES);
  const known = listed && (await readNodes(listed, nodes));
  if (listed) nodes.close?.(NODES);
  const graph = await readEdges(await needed(EDGES), nodes, types, known !== undefined);
  if (!listed) nodes.close?.(EDGES);
  if (manifest.asksEdges) types.close?.(EDGES);
  const queries = manifest.asksEdges ? types : namingOf('a query', 'queries', manifest.queries);

  const { parts, lines, asks } = await readExamples(await needed(EXAMPLES), graph, nodes, queries);
  for (const split of SPLIT_NAMES) {
    if (parts[split].count === 0) throw new DatasetFormatError(EXAMPLES, `an example of ${split}`, 'none');
  }
  if (manifest.unreachable !== 'kept') expectWays(graph, steps, parts, lines, nodes);
  const others = await open(ALSO_TRUE);
  const alsoTrue = others && (await readAlsoTrue(others, nodes, queries, asks));

  const hiddenEdges = manifest.asksEdges && types.names && hiddenEdgesOf(graph, types.names, parts.train);
  return {
    ...{ name, steps, graph },
    examples: { ...parts, train: { ...parts.train, ...(hiddenEdges && { hiddenEdges }) } },
    ...(nodes.names && { nodeNames: nodes.names }),
    ...(types.names && { edgeTypeNames: types.names }),
    ...(asks && { queryNames: queries.names ?? Array.from({ length: queries.count }, (_, i) => String(i)) }),
    ...known,
    ...(alsoTrue && { alsoTrue }),
  };
}

const longestManifest = 2 ** 16;

async function textOf(file: string, chunks: Chunks): Promise<string> {
  let text = '';
  await readLines(file, chunks, (line, number) => {
    text += `${line}\n`;
    if (text.length > longestManifest) {
      throw new DatasetFormatError(`${file}:${number}`, `at most ${longestManifest} characters`, 'more');
    }
  });
  return text;
}

/** As the manifest has it: a list, a number, or whatever names the files have. */
function namingOf(
  what: string,
  entry: string,
  declared: number | readonly string[] | undefined,
): Naming & { readonly close?: (list: string) => void } {
  if (typeof declared === 'number') {
    return numbers(what, declared, `${MANIFEST} has ${entry}: ${declared}; names are without it`);
  }
  const naming = names(what);
  if (!declared) return naming;
  for (const name of declared) naming.read(name, () => MANIFEST);
  naming.close(MANIFEST);
  return naming;
}

async function readEdges(chunks: Chunks, nodes: Naming, types: Naming, areListed: boolean): Promise<Graph> {
  const [senders, receivers, edgeTypes] = [new IntList(), new IntList(), new IntList()];
  await readTable(EDGES, chunks, columnsOf[EDGES], ({ placeOf }) => {
    const [sender, receiver, type] = ['sender', 'receiver', 'type'].map(placeOf);
    let line = 0;
    const where = (): string => `${EDGES}:${line}`;
    return (fields, number) => {
      line = number;
      senders.push(nodes.read(fields[sender], where));
      receivers.push(nodes.read(fields[receiver], where));
      if (type >= 0) edgeTypes.push(types.read(fields[type], where));
      else edgeTypes.push(0);
    };
  });
  const ends = { senders: senders.toArray(), receivers: receivers.toArray(), edgeTypes: edgeTypes.toArray() };
  if (nodes.names && !areListed) expectOneKind(ends, nodes.names);
  expectOnce(ends, nodes, types);
  expectSome(ends, nodes);
  return createGraph({ nodeCount: nodes.count, edgeTypeCount: Math.max(1, types.count), ...ends });
}

type Ends = Readonly<Record<'senders' | 'receivers' | 'edgeTypes', Int32Array>>;

/** A number among names is more often a mistake than a name. */
function expectOneKind({ senders, receivers }: Ends, nodeNames: readonly string[]): void {
  const isNumber = (name: string): boolean => /^\d+$/.test(name);
  const other = nodeNames.findIndex((name) => isNumber(name) !== isNumber(nodeNames[0]));
  if (other < 0) return;
  const line = senders.findIndex((sender, edge) => sender === other || receivers[edge] === other) + 2;
  const got = `${quoted(nodeNames[other])} beside ${quoted(nodeNames[0])} (where both are names, list them in ${NODES})`;
  throw new DatasetFormatError(`${EDGES}:${line}`, 'all nodes as names or all as numbers', got);
}

/** A count from the manifest may be anything; memory is not to follow it. */
function expectSome({ senders }: Ends, { count, names }: Naming): void {
  if (senders.length === 0) throw new DatasetFormatError(EDGES, 'at least one edge', 'none');
  const most = 1024 + 64 * senders.length;
  if (names || count <= most) return;
  const got = `${count} for ${senders.length} edges`;
  throw new DatasetFormatError(MANIFEST, `at most ${most} nodes, 64 for each edge`, got);
}

function expectOnce({ senders, receivers, edgeTypes }: Ends, nodes: Naming, types: Naming): void {
  const count = Math.max(1, types.count);
  const keys = Float64Array.from(
    senders,
    (sender, edge) => (sender * nodes.count + receivers[edge]) * count + edgeTypes[edge],
  );
  const sorted = keys.slice().sort();
  const place = sorted.findIndex((key, i) => i > 0 && key === sorted[i - 1]);
  if (place < 0) return;
  const first = keys.indexOf(sorted[place]);
  const second = keys.indexOf(sorted[place], first + 1);
  throw new DatasetFormatError(
    `${EDGES}:${second + 2}`,
    'each edge once',
    `the edge of line ${first + 2} again`,
  );
}

/** The lines of a split's examples. */
export type Lines = Readonly<Record<SplitName, Int32Array>>;

async function readExamples(chunks: Chunks, graph: Graph, nodes: Naming, queries: Naming) {
  const parts = { train: new ExampleLists(), valid: new ExampleLists(), test: new ExampleLists() };
  let [asks, hasPaths] = [false, false];
  await readTable(EXAMPLES, chunks, columnsOf[EXAMPLES], ({ placeOf }) => {
    const [split, source, destination, query, path] = [
      ...['split', 'source', 'destination', 'query', 'path'],
    ].map(placeOf);
    [asks, hasPaths] = [query >= 0, path >= 0];
    const isStep = stepsOf(graph);
    let line = 0;
    const where = (): string => `${EXAMPLES}:${line}`;
    return (fields, number) => {
      line = number;
      const name = SPLIT_NAMES.find((each) => each === fields[split]);
      if (name === undefined) {
        throw new DatasetFormatError(where(), `split among ${SPLIT_NAMES.join(', ')}`, quoted(fields[split]));
      }
      const part = parts[name];
      const ends = [nodes.read(fields[source], where), nodes.read(fields[destination], where)];
      part.lines.push(number);
      part.sources.push(ends[0]);
      part.destinations.push(ends[1]);
      if (query >= 0) part.queries.push(queries.read(fields[query], where));
      if (path < 0) return;
      let before = -1;
      for (let i = path; i < fields.length; i++) {
        const node = nodes.read(fields[i], where);
        if (before >= 0 && !isStep(before, node)) {
          const step = `${quoted(fields[i - 1])} → ${quoted(fields[i])}`;
          throw new DatasetFormatError(where(), 'a path along edges', `${step}, where there is none`);
        }
        if (before < 0 ? node !== ends[0] : i === fields.length - 1 && node !== ends[1]) {
          throw new DatasetFormatError(
            where(),
            'a path from source to destination',
            `one by ${quoted(fields[i])}`,
          );
        }
        part.paths.push((before = node));
      }
      if (fields.length - path === 1 && ends[0] !== ends[1]) {
        throw new DatasetFormatError(where(), 'a path from source to destination', 'its source alone');
      }
      part.offsets.push(part.paths.length);
    };
  });
  const of = (split: SplitName): Examples => parts[split].toExamples(asks, hasPaths);
  return {
    asks,
    parts: { train: of('train'), valid: of('valid'), test: of('test') },
    lines: {
      train: parts.train.lines.toArray(),
      valid: parts.valid.lines.toArray(),
      test: parts.test.lines.toArray(),
    },
  };
}

/** Whether an edge leads from one node to another; staying needs none. */
function stepsOf({ bySender, receivers }: Graph): (from: number, to: number) => boolean {
  const { offsets, permutation } = bySender;
  return (from, to) => {
    if (from === to) return true;
    for (let i = offsets[from]; i < offsets[from + 1]; i++) if (receivers[permutation[i]] === to) return true;
    return false;
  };
}

class ExampleLists {
  readonly lines = new IntList();
  readonly sources = new IntList();
  readonly destinations = new IntList();
  readonly queries = new IntList();
  readonly paths = new IntList();
  readonly offsets = new IntList();

  constructor() {
    this.offsets.push(0);
  }

  toExamples(asks: boolean, hasPaths: boolean): Examples {
    const [nodes, offsets] = [this.paths.toArray(), this.offsets.toArray()];
    return {
      count: this.sources.length,
      sources: this.sources.toArray(),
      destinations: this.destinations.toArray(),
      ...(asks && { queries: this.queries.toArray() }),
      ...(hasPaths && { path: (example) => nodes.subarray(offsets[example], offsets[example + 1]) }),
    };
  }
}

async function readAlsoTrue(
  chunks: Chunks,
  nodes: Naming,
  queries: Naming,
  asks: boolean,
): Promise<Examples> {
  const lists = new ExampleLists();
  const { required, optional } = columnsOf[ALSO_TRUE];
  const columns = asks ? { required: [...required, ...optional], optional: [] } : { required, optional: [] };
  await readTable(ALSO_TRUE, chunks, columns, ({ placeOf }) => {
    const [source, destination, query] = ['source', 'destination', 'query'].map(placeOf);
    let line = 0;
    const where = (): string => `${ALSO_TRUE}:${line}`;
    return (fields, number) => {
      line = number;
      lists.sources.push(nodes.read(fields[source], where));
      lists.destinations.push(nodes.read(fields[destination], where));
      if (asks) lists.queries.push(queries.read(fields[query], where));
    };
  });
  return lists.toExamples(asks, false);
}
