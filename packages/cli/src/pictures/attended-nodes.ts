/** Where attention is on a graph without a map: the names of the nodes that have most of it. */
import type { Dataset } from '@flowgrad/data';
import { unknownName } from '@flowgrad/tensor';
import type { AttentionFrame } from './attention-of.ts';
import { UsageError } from '../usage-error.ts';

/** A node by its name or, where nodes have none, by its number. */
export function namedNode({ nodeNames, graph }: Dataset, text: string): number {
  const node = nodeNames ? nodeNames.indexOf(text) : /^\d+$/.test(text) ? Number(text) : -1;
  if (node >= 0 && node < graph.nodeCount) return node;
  const wanted = nodeNames ? 'the name of a node' : `a node in 0..${graph.nodeCount - 1}`;
  throw new UsageError(`show: expected --source as ${wanted}, got '${text}'`);
}

/** A query by its name; without one, what the first test example from the source asks, or of all. Undefined where nothing is asked. */
export function queryOf(
  { queryNames, examples: { test } }: Dataset,
  source: number,
  text: string | undefined,
): number | undefined {
  if (!queryNames) {
    if (text === undefined) return undefined;
    throw new UsageError('show: expected --query with a dataset that asks, got it with one that does not');
  }
  if (text === undefined) return test.queries![Math.max(0, test.sources.indexOf(source))];
  const query = queryNames.indexOf(text);
  if (query >= 0) return query;
  throw new UsageError(`show: ${unknownName('a query', text, queryNames)}`);
}

export const nameOf = ({ nodeNames }: Dataset, node: number): string => nodeNames?.[node] ?? String(node);

const most = 8;

/** A line for each node that has some, the most first. */
export function attendedNodes(dataset: Dataset, { distribution }: AttentionFrame): string {
  const found = Array.from(distribution, (share, node) => ({ share, node }))
    .filter(({ share }) => share >= 0.0005)
    .sort((a, b) => b.share - a.share || a.node - b.node);
  const rest = found.slice(most).reduce((sum, { share }) => sum + share, 0);
  const lines = found
    .slice(0, most)
    .map(({ share, node }) => `  ${share.toFixed(3)}  ${nameOf(dataset, node)}`);
  const more = found.length - most;
  return [...lines, ...(more > 0 ? [`  ${rest.toFixed(3)}  ${more} more`] : [])].join('\n');
}
