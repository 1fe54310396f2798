/**
 * Cone plans of models whose states are the background's: only attention belongs to examples. A value of attention
 * costs next to nothing, and a step's indices cost more than what they spare. So one set of entries serves all times:
 * whoever is in the cone at any. Attention that is there too early is 0, and what is there too late reaches nothing.
 *
 * What an example contributes depends on its ends alone. It is made once, kept, and joined to that of others.
 */
import { deferredIndex, joinIndices, rowIndex } from '@flowgrad/tensor';
import type { Background } from './background.ts';
import type { ConeContext } from './cone-context.ts';
import { examplePartMaker } from './example-part.ts';
import type { ExamplePart } from './example-part.ts';
import { narrowBackgrounds } from './narrow-background.ts';
import type { NarrowBackground } from './narrow-background.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { FlowParts, FlowStep, PlanEntries, PlanFlow, PlanRows } from './plan.ts';

export function sharedCone(
  context: ConeContext,
  whole: () => Background,
): (batch: CheckedBatch) => FlowParts {
  const { graph, outgoing, steps, kind } = context;
  const { nodeCount, edgeCount } = graph;
  const partOf = examplePartMaker(context);
  const narrowed = narrowBackgrounds(context);

  const planFlow = (parts: readonly ExamplePart[], narrow: NarrowBackground | undefined): PlanFlow => {
    const positions = joinIndices(
      parts.map((part) => part.fanEdges),
      { sameRows: true },
    );
    const entries = joinIndices(parts.map((part) => part.entries));
    const outputs = (): Int32Array => {
      const leaving = entries.toArray();
      const examples = examplesOf(parts);
      return positions.toArray().map((e, k) => examples[leaving[k]] * edgeCount + outgoing.edges[e]);
    };
    return {
      count: positions.length,
      fanEdges: narrow ? rowIndex(narrow.fanEdgesOf(positions.toArray()), narrow.fan.count) : positions,
      entries,
      arrivals: joinIndices(parts.map((part) => part.arrivals)),
      outputs: deferredIndex(outputs, parts.length * edgeCount),
    };
  };

  return ({ sources, destinations, lossOnly }) => {
    const parts = Array.from(sources, (source, example) => partOf(source, destinations?.[example], lossOnly));
    const narrow = narrowed(parts.map(({ nodes }) => nodes));
    const background = narrow ?? whole();
    const flow = planFlow(parts, narrow);
    const outputs = (): Int32Array => {
      const nodes = parts.flatMap((part) => [...part.nodes]);
      return examplesOf(parts).map((example, entry) => example * nodeCount + nodes[entry]);
    };
    const entries: PlanEntries = {
      count: flow.entries.rows,
      outputs: deferredIndex(outputs, parts.length * nodeCount),
    };
    const last: FlowStep = { senders: { count: background.rows.count }, fan: background.fan, flow };
    const step = kind.reads === 'nothing' ? last : { ...last, messages: background.messages };
    return {
      ...(background.nodes && { nodes: background.nodes }),
      rows: new Array<PlanRows>(steps).fill(background.rows),
      steps: Array.from({ length: steps }, (_, t) => (t === steps - 1 ? last : step)),
      entries: new Array<PlanEntries>(steps + 1).fill(entries),
      sources: joinIndices(parts.map((part) => part.source)),
      ...(destinations && { targets: joinIndices(parts.map((part) => part.destination!)) }),
    };
  };
}

/** Entry → example. */
function examplesOf(parts: readonly ExamplePart[]): Int32Array {
  return Int32Array.from(
    parts.flatMap(({ nodes }, example) => new Array<number>(nodes.length).fill(example)),
  );
}
