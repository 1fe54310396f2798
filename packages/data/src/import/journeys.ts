/** Trips and paths over a graph that is not asked about itself. */
import type { SplitName } from '../dataset.ts';
import { names } from '../folder/naming.ts';
import { EdgeCollection, readEdgeFile } from './edges.ts';
import { examplesOf, finished, LineCount, readFields, splitJourneys } from './imported.ts';
import type { Imported, ImportedFile, ImportOptions, Journey } from './imported.ts';

/**
 * Trips over a graph: `edges` has lines of sender and receiver, or of sender, type and receiver; `trips` has lines of source and
 * destination, or of source, destination and query. A trip from or to a place that no edge has is dropped.
 */
export async function importTrips(
  edges: ImportedFile,
  trips: ImportedFile,
  options: ImportOptions,
): Promise<Imported> {
  const count = new LineCount();
  const found = await readEdgeFile(edges, count);
  const isKnown = knownNodes(found);
  const queries = names('a query');
  const journeys: Journey[] = [];
  let width: number | undefined;
  const widths = { least: 2, most: 3, what: 'source and destination, and perhaps a query' };
  await readFields(trips, count, widths, (fields, at) => {
    width ??= fields.length;
    if (fields.length !== width) {
      throw new Error(`${at}: expected ${width} fields, as many as the first line has, got ${fields.length}`);
    }
    const [source, destination] = fields.map((name) => isKnown(name));
    if (source === undefined || destination === undefined) return count.drop('a place without an edge', at);
    const query = width === 3 ? { query: queries.read(fields[2], () => at) } : {};
    journeys.push({ source, destination, ...query, at });
  });
  const more = width === 3 ? { queryNames: queries.names! } : {};
  return journeysOn(found, journeys, count, options, { asks: width === 3, paths: false }, more);
}

/**
 * Ways that were taken, a line of nodes each. The graph is that of `edges`, as for trips, or else the steps of all paths; a path
 * with a step that is no edge is dropped. Steps are as many as the longest path has, unless given.
 */
export async function importPaths(
  paths: ImportedFile,
  {
    edges,
    ...options
  }: Omit<ImportOptions, 'steps'> & { readonly steps?: number; readonly edges?: ImportedFile },
): Promise<Imported> {
  const count = new LineCount();
  const found = edges ? await readEdgeFile(edges, count) : new EdgeCollection();
  const isKnown = knownNodes(found);
  const journeys: Journey[] = [];
  const widths = { least: 1, most: Infinity, what: 'the nodes of a path' };
  const steps = new Set<string>();
  const { senders, receivers } = edges ? found.graph() : { senders: [], receivers: [] };
  Array.from(senders, (sender, edge) => steps.add(`${sender} ${receivers[edge]}`));
  await readFields(paths, count, widths, (fields, at) => {
    if (fields.length < 2) return count.drop('a path of one node', at);
    const path = fields.map((name) => (edges ? isKnown(name) : found.nodes.read(name, () => at)));
    if (path.includes(undefined)) return count.drop('a place without an edge', at);
    const nodes = path as number[];
    const moves = nodes.slice(1).map((node, i) => [nodes[i], node] as const);
    const isWay = moves.every(([from, to]) => from === to || steps.has(`${from} ${to}`));
    if (edges && !isWay) return count.drop('a step that is no edge', at);
    if (!edges) for (const [from, to] of moves) if (from !== to) found.add(from, 0, to);
    journeys.push({ source: nodes[0], destination: nodes[nodes.length - 1], path: nodes, at });
  });
  const longest = journeys.reduce((most, { path }) => Math.max(most, path!.length - 1), 1);
  const all = { ...options, steps: options.steps ?? longest };
  return journeysOn(found, journeys, count, all, { asks: false, paths: true }, {});
}

function knownNodes({ nodes }: EdgeCollection): (name: string) => number | undefined {
  const idOf = new Map(nodes.names!.map((name, id) => [name, id]));
  return (name) => idOf.get(name);
}

function journeysOn(
  edges: EdgeCollection,
  journeys: readonly Journey[],
  count: LineCount,
  options: ImportOptions,
  of: { readonly asks: boolean; readonly paths: boolean },
  more: { readonly queryNames?: readonly string[] },
): Imported {
  const { name, steps } = options;
  const graph = edges.graph();
  return finished(splitJourneys(journeys, options), count, options, (parts) => {
    const part = (split: SplitName) => examplesOf(parts[split], of);
    const examples = { train: part('train'), valid: part('valid'), test: part('test') };
    return { name, steps, graph, examples, ...edges.labels(), ...more };
  });
}
