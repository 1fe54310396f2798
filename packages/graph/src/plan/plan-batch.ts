import { rejectUnknownOptions } from '@flowgrad/tensor';
import { readCount, readNode } from '../read-indices.ts';
import type { Graph } from '../graph.ts';
import { checkKind } from './plan-kind.ts';
import type { PlanKind } from './plan-kind.ts';
import type { PlanBatch, PlannerOptions, PlanQueries } from './plan.ts';

/** A batch that has been checked. */
export interface CheckedBatch {
  readonly sources: Int32Array;
  readonly destinations: Int32Array | undefined;
  readonly lossOnly: boolean;
  readonly asked?: PlanQueries | undefined;
}

export function checkPlannerOptions(where: string, options: PlannerOptions): void {
  rejectUnknownOptions(where, options, ['steps', 'kind']);
  readCount(where, 'steps', options.steps);
  if (options.steps === 0) throw new RangeError(`${where}: expected steps of at least 1, got 0`);
  checkKind(where, options.kind);
}

export function checkBatch(where: string, batch: PlanBatch, graph: Graph, kind: PlanKind): CheckedBatch {
  const { nodeCount } = graph;
  rejectUnknownOptions(where, batch, ['sources', 'destinations', 'queries', 'hidden', 'lossOnly']);
  const { sources, destinations, lossOnly = false } = batch;
  if (sources.length === 0) throw new RangeError(`${where}: expected at least one source, got none`);
  if (destinations && destinations.length !== sources.length) {
    throw new RangeError(
      `${where}: expected a destination for each of ${sources.length} sources, got ${destinations.length}`,
    );
  }
  if (lossOnly && !destinations) {
    throw new TypeError(`${where}: expected destinations for a plan of the loss, got none`);
  }
  const nodes = (name: string, values: ArrayLike<number>): Int32Array => {
    const read = new Int32Array(values.length);
    for (let i = 0; i < read.length; i++) read[i] = readNode(where, name, values[i], nodeCount, i);
    return read;
  };
  const checked = nodes('sources', sources);
  return {
    sources: checked,
    destinations: destinations && nodes('destinations', destinations),
    lossOnly,
    asked: checkQueries(where, batch, checked, graph, kind),
  };
}

function checkQueries(
  where: string,
  { queries, hidden }: PlanBatch,
  sources: Int32Array,
  { edgeCount, senders, receivers, edgeTypes }: Graph,
  { asks = false }: PlanKind,
): PlanQueries | undefined {
  if (asks !== (queries !== undefined)) {
    throw new TypeError(
      asks
        ? `${where}: expected a query for each of ${sources.length} sources, got none`
        : `${where}: expected no queries for a model that takes none, got some`,
    );
  }
  for (const [name, list] of Object.entries({ queries, hidden })) {
    if (!list || list.length === sources.length) continue;
    throw new RangeError(
      `${where}: expected ${name} for each of ${sources.length} sources, got ${list.length}`,
    );
  }
  if (hidden && !queries) throw new TypeError(`${where}: expected hidden edges with queries, got them alone`);
  if (!queries) return undefined;
  for (const edges of hidden ?? []) {
    for (const edge of edges) readNode(where, 'hidden edge', edge, edgeCount);
  }
  const read = Int32Array.from(queries, (query, i) => readCount(where, `queries[${i}]`, query));
  return { queries: read, sources, ...(hidden && { hidden }), senders, receivers, edgeTypes };
}
