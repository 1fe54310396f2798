/** A dataset as the texts of its files. */
import { SPLIT_NAMES } from '../dataset.ts';
import type { Dataset, Examples } from '../dataset.ts';
import { findUnreachable } from './expect-ways.ts';
import type { Unreachable } from './expect-ways.ts';
import { ALSO_TRUE, EDGES, EXAMPLES, NODES } from './files.ts';
import type { DatasetFile } from './files.ts';
import { quoted } from './format-error.ts';
import { encodeManifest, isWord, MANIFEST } from './manifest.ts';

/** What `readDataset` makes the same dataset of. */
export function writeDataset(dataset: Dataset): Partial<Record<DatasetFile, string>> {
  const { name, steps, graph, examples, nodeNames, edgeTypeNames, queryNames, alsoTrue } = dataset;
  expectWords('nodes', nodeNames);
  expectWords('edge types', edgeTypeNames);
  expectWords('queries', queryNames);
  const unreachable: Unreachable[] = [];
  // The manifest tells of the graph as it is, whatever is hidden in training.
  const whole = { ...examples, train: withoutHiding(examples.train) };
  findUnreachable(graph, steps, whole, (found) => unreachable.push(found));
  const asksEdges = examples.train.hiddenEdges !== undefined;
  const nodeOf = (node: number): string | number => nodeNames?.[node] ?? node;
  const typeOf = (type: number): string | number => edgeTypeNames?.[type] ?? type;
  const ends = ({ sources, destinations, queries }: Examples, i: number): (string | number)[] => [
    nodeOf(sources[i]),
    nodeOf(destinations[i]),
    ...(queries ? [queryNames?.[queries[i]] ?? queries[i]] : []),
  ];
  const asked = examples.train.queries ? ['query'] : [];
  const rows = SPLIT_NAMES.flatMap((split) => {
    const part = examples[split];
    return Array.from({ length: part.count }, (_, i) => [
      split,
      ...ends(part, i),
      ...Array.from(part.path?.(i) ?? [], nodeOf),
    ]);
  });
  return {
    [MANIFEST]: encodeManifest({
      name,
      steps,
      ...(!nodeNames && { nodes: graph.nodeCount }),
      edgeTypes: edgeTypeNames ?? graph.edgeTypeCount,
      ...(queryNames && !asksEdges && { queries: queryNames }),
      ...(unreachable.length > 0 && { unreachable: 'kept' as const }),
      ...(asksEdges && { asksEdges }),
    }),
    ...nodesFile(dataset, nodeOf),
    [EDGES]: table(
      ['sender', 'type', 'receiver'],
      Array.from(graph.senders, (sender, edge) => [
        nodeOf(sender),
        typeOf(graph.edgeTypes[edge]),
        nodeOf(graph.receivers[edge]),
      ]),
    ),
    [EXAMPLES]: table(
      ['split', 'source', 'destination', ...asked, ...(examples.train.path ? ['path'] : [])],
      rows,
    ),
    ...(alsoTrue && {
      [ALSO_TRUE]: table(
        ['source', 'destination', ...asked],
        Array.from({ length: alsoTrue.count }, (_, i) => ends(alsoTrue, i)),
      ),
    }),
  };
}

const withoutHiding = ({ hiddenEdges: _, ...examples }: Examples): Examples => examples;

/** Not needed where nodes are numbers and nothing else is known of them. */
function nodesFile(
  { graph, nodeNames, positions, features }: Dataset,
  nodeOf: (node: number) => string | number,
): Partial<Record<DatasetFile, string>> {
  if (!nodeNames && !positions && !features) return {};
  const width = features?.width ?? 0;
  const columns = [
    ...(positions ? ['x', 'y'] : []),
    ...Array.from({ length: width }, (_, k) => `feature${k + 1}`),
  ];
  const rows = Array.from({ length: graph.nodeCount }, (_, node) => [
    nodeOf(node),
    ...(positions ? [positions.x[node], positions.y[node]] : []),
    ...(features?.values.subarray(node * width, (node + 1) * width) ?? []),
  ]);
  return { [NODES]: table(['node', ...columns], rows) };
}

function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = rows.map((row) => row.join('\t'));
  return `${[columns.join('\t'), ...lines].join('\n')}\n`;
}

function expectWords(what: string, list: readonly string[] | undefined): void {
  const bad = list?.find((each, i) => !isWord(each) || list.indexOf(each) !== i);
  if (bad === undefined) return;
  throw new RangeError(
    `writeDataset: expected different names of ${what}, without tabs and line ends, got ${quoted(bad)}`,
  );
}
