/**
 * Cone plans of models whose states are the background's: only attention belongs to examples. A value of attention
 * costs next to nothing, and a step's indices cost more than what they spare. So one set of entries serves all times:
 * whoever is in the cone at any. An entry that attention has not reached yet is 0, and attention that
 * can no longer reach the destination changes no result.
 *
 * What an example contributes depends on its ends alone. It is made once, kept, and joined to that of others.
 */
import { deferredIndex, joinIndices, rowIndex } from '@flowgrad/tensor';
import { narrowBackgrounds, wholeBackground } from './background.ts';
import type { Background, NarrowBackground } from './background.ts';
import type { ConeBatch, ConeContext } from './cone-context.ts';
import { isCut } from './example-cone.ts';
import { flowPartMaker } from './flow-part.ts';
import type { FlowPart } from './flow-part.ts';
import type { FlowParts, FlowStep, PlanEntries, PlanFlow, PlanRows } from './plan.ts';
import type { SharedValues } from './shared-values.ts';

export function sharedFlow(context: ConeContext, shared: SharedValues): (batch: ConeBatch) => FlowParts {
  const { graph, adjacency, kind, conesOf } = context;
  const { nodeCount, edgeCount } = graph;
  const partOf = flowPartMaker(context);
  const narrowed = narrowBackgrounds(context);
  let whole: Background | undefined;

  /** One set of flow edges for all steps; which of them arrive may differ. */
  const planFlows = (parts: readonly FlowPart[], narrow: NarrowBackground | undefined): PlanFlow[] => {
    const positions = joinIndices(
      parts.map(({ fanEdges }) => fanEdges),
      { sameRows: true },
    );
    const entries = joinIndices(parts.map((part) => part.entries));
    const outputs = (): Int32Array => {
      const leaving = entries.toArray();
      const examples = examplesOf(parts);
      return positions.toArray().map((e, k) => examples[leaving[k]] * edgeCount + adjacency.outOf.edges[e]);
    };
    const common = {
      count: positions.length,
      fanEdges: narrow ? rowIndex(narrow.fanEdgesOf(positions.toArray()), narrow.fan.count) : positions,
      entries,
      outputs: deferredIndex(outputs, parts.length * edgeCount),
    };
    return parts[0].arrivals.map(({ arriving }, t) => ({
      ...common,
      ...(arriving && { arriving: joinIndices(parts.map(({ arrivals }) => arrivals[t].arriving!)) }),
      arrivals: joinIndices(parts.map(({ arrivals }) => arrivals[t].at)),
    }));
  };

  return (batch) => {
    const { sources, destinations, steps } = batch;
    const cones = conesOf(batch);
    const parts = cones.map((cone, example) => partOf(cone, sources[example], destinations?.[example]));
    const leaving = cones.map(({ nodes, kept }) => (kept ? nodes.filter((_, k) => !isCut(kept, k)) : nodes));
    const narrow = narrowed(leaving, steps);
    const background = narrow ?? (whole ??= wholeBackground(context, shared));
    const flows = planFlows(parts, narrow);
    const outputs = (): Int32Array => {
      const nodes = nodesOf(parts);
      return examplesOf(parts).map((example, entry) => example * nodeCount + nodes[entry]);
    };
    const entries: PlanEntries = {
      count: flows[0].entries.rows,
      outputs: deferredIndex(outputs, parts.length * nodeCount),
    };
    const { messages } = background;
    const planned = flows.map((flow) => {
      const last: FlowStep = { senders: { count: background.rows.count }, fan: background.fan, flow };
      return { last, step: kind.reads === 'nothing' ? last : { ...last, messages } };
    });
    const stepAt = (t: number): FlowStep => {
      const { step, last } = planned[Math.min(t, planned.length - 1)];
      return t === steps - 1 ? last : step;
    };
    return {
      ...(background.nodes && { nodes: background.nodes }),
      rows: new Array<PlanRows>(steps).fill(background.rows),
      steps: Array.from({ length: steps }, (_, t) => stepAt(t)),
      entries: new Array<PlanEntries>(steps + 1).fill(entries),
      sources: joinIndices(parts.map((part) => part.source)),
      ...(destinations && { targets: joinIndices(parts.map((part) => part.destination!)) }),
    };
  };
}

/** Entry → node. */
function nodesOf(parts: readonly FlowPart[]): Int32Array {
  return Int32Array.from(parts.flatMap(({ nodes }) => [...nodes]));
}

/** Entry → example. */
function examplesOf(parts: readonly FlowPart[]): Int32Array {
  return Int32Array.from(
    parts.flatMap(({ nodes }, example) => new Array<number>(nodes.length).fill(example)),
  );
}
