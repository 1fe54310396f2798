/** What can be known of a dataset without a model: what its examples say. */
import { SPLIT_NAMES } from '@flowgrad/data';
import type { Dataset, Examples } from '@flowgrad/data';
import type { SourceView, WorldView } from '../protocol/world-protocol.ts';

type OfDataset = Omit<WorldView, 'steps' | 'nodeCount' | 'senders' | 'receivers' | 'hasWalks'>;

export function datasetView(dataset: Dataset): OfDataset {
  const { graph, examples, positions, nodeNames, queryNames, edgeTypeNames } = dataset;
  const { test } = examples;
  const [train, valid, tested] = SPLIT_NAMES.map((split) => examples[split].count.toLocaleString('en'));
  const { nodeCount, edgeCount, edgeTypeCount } = graph;
  const counts = [
    `${nodeCount.toLocaleString('en')} nodes`,
    `${edgeCount.toLocaleString('en')} edges${edgeTypeCount > 1 ? ` of ${edgeTypeCount} types` : ''}`,
    ...(queryNames ? [`${queryNames.length} queries`] : []),
    `${train} examples to train, ${valid} to validate, ${tested} to test`,
  ];
  return {
    testSource: test.sources[0],
    ...(test.queries && { testQuery: test.queries[0] }),
    facts: counts.join(', '),
    ...(positions && { positions: { x: Float32Array.from(positions.x), y: Float32Array.from(positions.y) } }),
    ...(nodeNames && { nodeNames }),
    ...(queryNames && { queryNames }),
    ...(edgeTypeNames && { edgeTypes: graph.edgeTypes, edgeTypeNames }),
  };
}

/** Lines beyond that many say no more. */
const mostWalks = 50;

/** The walks and the destinations of all examples that ask this. */
export function datasetSource({ graph, examples }: Dataset, source: number, query?: number): SourceView {
  const rollouts: Int32Array[] = [];
  const destinations = new Float64Array(graph.nodeCount);
  let count = 0;
  for (const part of SPLIT_NAMES.map((split) => examples[split])) {
    for (const example of askedIn(part, source, query)) {
      destinations[part.destinations[example]] += 1;
      count += 1;
      if (part.path && rollouts.length < mostWalks) rollouts.push(part.path(example));
    }
  }
  const asked = { source, ...(query !== undefined && { query }), rollouts };
  return count === 0 ? asked : { ...asked, destinations: destinations.map((each) => each / count) };
}

const askedIn = ({ sources, queries }: Examples, source: number, query?: number): Int32Array =>
  Int32Array.from(sources.keys()).filter(
    (example) => sources[example] === source && (queries === undefined || queries[example] === query),
  );
