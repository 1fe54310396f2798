/**
 * Cone plans of models whose states are the background's: only attention belongs to examples. A value of attention
 * costs next to nothing, and a step's indices cost more than what they spare. So one set of entries serves all times:
 * whoever is in the cone at any. Attention that is there too early is 0, and what is there too late reaches nothing.
 *
 * What an example contributes depends on its ends alone. It is made once, kept, and joined to that of others.
 */
import { deferredIndex, rowIndex } from '@flowgrad/tensor';
import type { Background } from './background.ts';
import type { ConeContext } from './cone-context.ts';
import { examplePartMaker } from './example-part.ts';
import type { ExamplePart } from './example-part.ts';
import { createScratch, filled } from './int-scratch.ts';
import type { CheckedBatch } from './plan-batch.ts';
import type { Plan, PlanEntries, PlanFlow, PlanRows, PlanStep } from './plan.ts';

type ConeParts = Pick<Plan, 'rows' | 'steps' | 'flow'>;

export function sharedCone(context: ConeContext, background: Background): (batch: CheckedBatch) => ConeParts {
  const { graph, steps, kind } = context;
  const { nodeCount } = graph;
  const partOf = examplePartMaker(context);
  const flowAmong = flowJoiner(context);
  return ({ sources, destinations, lossOnly }) => {
    const parts = Array.from(sources, (source, example) => partOf(source, destinations?.[example], lossOnly));
    const first = firstEntries(parts);
    const count = first[parts.length];
    const entries: PlanEntries = {
      count,
      outputs: deferredIndex(() => entryOutputs(parts, count, nodeCount), parts.length * nodeCount),
    };
    const last: PlanStep = {
      senders: { count: nodeCount },
      fan: background.fan,
      flow: flowAmong(parts, first),
    };
    const step = kind.messages === 'none' ? last : { ...last, messages: background.messages };
    return {
      rows: new Array<PlanRows>(steps).fill(background.rows),
      steps: Array.from({ length: steps }, (_, t) => (t === steps - 1 ? last : step)),
      flow: {
        entries: new Array<PlanEntries>(steps + 1).fill(entries),
        sources: rowIndex(
          parts.map(({ source }, example) => first[example] + source),
          count,
        ),
        ...(destinations && {
          targets: rowIndex(
            parts.map(({ destination }, example) => first[example] + destination!),
            count,
          ),
        }),
      },
    };
  };
}

/** [examples + 1] where each example's entries begin. */
function firstEntries(parts: readonly ExamplePart[]): Int32Array {
  const first = new Int32Array(parts.length + 1);
  parts.forEach(({ nodes }, example) => (first[example + 1] = first[example] + nodes.length));
  return first;
}

/** Entry → example · nodeCount + node. */
function entryOutputs(parts: readonly ExamplePart[], count: number, nodeCount: number): Int32Array {
  const outputs = new Int32Array(count);
  let entry = 0;
  parts.forEach(({ nodes }, example) => {
    for (const node of nodes) outputs[entry++] = example * nodeCount + node;
  });
  return outputs;
}

function flowJoiner({
  graph,
  outgoing,
}: ConeContext): (parts: readonly ExamplePart[], first: Int32Array) => PlanFlow {
  const { edgeCount } = graph;
  const scratch = createScratch('fanEdges', 'entries', 'arrivals');
  return (parts, first) => {
    const total = parts.reduce((sum, { fanEdges }) => sum + fanEdges.length, 0);
    const joined = filled(scratch.room(total), total);
    const { fanEdges, entries, arrivals } = joined;
    let flow = 0;
    for (let example = 0; example < parts.length; example++) {
      const part = parts[example];
      const entry = first[example];
      fanEdges.set(part.fanEdges, flow);
      for (let k = 0; k < part.entries.length; k++) {
        entries[flow] = entry + part.entries[k];
        arrivals[flow++] = entry + part.arrivals[k];
      }
    }
    const outputs = (): Int32Array => {
      const ids = new Int32Array(total);
      let edge = 0;
      parts.forEach((part, example) => {
        for (const e of part.fanEdges) ids[edge++] = example * edgeCount + outgoing.edges[e];
      });
      return ids;
    };
    const count = first[parts.length];
    return {
      count: total,
      fanEdges: rowIndex(fanEdges, edgeCount),
      entries: rowIndex(entries, count),
      arrivals: rowIndex(arrivals, count),
      outputs: deferredIndex(outputs, parts.length * edgeCount),
    };
  };
}
