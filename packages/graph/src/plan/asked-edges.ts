/** For plans whose examples ask: the example and the edge of the graph that each edge of a step belongs to. */
import { deferredIndex, TensorError } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import { Numbering } from './numbering.ts';
import type { FlowPlan, FlowStep, PlanFlow, PlanQueries } from './plan.ts';
import { pick } from './typed-ids.ts';

/** The edges of a step: where examples ask, the flow has those of the fan. */
export interface AskedStep {
  readonly count: number;
  /** Edge of the step → its example. */
  readonly examples: RowIndex;
  /** Edge of the step → its place among the edges of the graph that the plan has. */
  readonly places: RowIndex;
  /** Edge of the step → example · edges of the plan + place; absent where that is edge k for each k. */
  readonly pairs?: RowIndex;
  /** [edges of the step] far below 0 for those that are hidden; absent where none is. */
  readonly closed?: Float32Array;
}

/** The edges of a plan, each edge of the graph once. */
export interface AskedEdges {
  readonly examples: number;
  readonly count: number;
  /** Edge of the plan → the node it leaves, the node it leads to, its type. */
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
  readonly types: Int32Array;
  ofStep(this: void, step: FlowStep): AskedStep;
}

/** e to this is 0. */
const closedLogit = -1e9;

/** Memory that is filled again for each plan over a graph: what a plan costs follows from its edges, not the graph's. */
interface Scratch {
  /** Numbers the edges of the graph that a plan has. */
  readonly numbering: Numbering;
  /** Edge of the graph → 1 where it is hidden for some example, 0 between two plans. */
  readonly isHidden: Uint8Array;
}
const scratches = new WeakMap<Int32Array, Scratch>();

function scratchOf({ receivers }: PlanQueries, edgeCount: number): Scratch {
  const known = scratches.get(receivers);
  if (known) return known;
  const made = { numbering: new Numbering(edgeCount), isHidden: new Uint8Array(edgeCount) };
  scratches.set(receivers, made);
  return made;
}

export function askedEdges(asked: PlanQueries, plan: FlowPlan): AskedEdges {
  const { steps, examples, edgeCount, dense } = plan;
  const { hidden = [] } = asked;
  const { numbering, isHidden } = scratchOf(asked, edgeCount);
  const hiddenPairs = new Set(
    hidden.flatMap((own, example) => own.map((edge) => example * edgeCount + edge)),
  );
  for (const own of hidden) for (const edge of own) isHidden[edge] = 1;
  numbering.clear();
  const found = new Map<PlanFlow, { ofExample: Int32Array; places: Int32Array; closed?: Float32Array }>();
  for (const { flow } of steps) {
    if (found.has(flow)) continue;
    const outputs = flow.outputs.toArray();
    const [ofExample, places] = [new Int32Array(outputs.length), new Int32Array(outputs.length)];
    let closed: Float32Array | undefined;
    // Edges come example by example.
    let [example, first] = [0, 0];
    for (let k = 0; k < outputs.length; k++) {
      while (outputs[k] >= first + edgeCount) first = ++example * edgeCount;
      const edge = outputs[k] - first;
      ofExample[k] = example;
      places[k] = numbering.of(edge);
      // Few edges are hidden for any example: the others need no look into the set.
      if (isHidden[edge] === 0 || !hiddenPairs.has(outputs[k])) continue;
      closed ??= new Float32Array(outputs.length);
      closed[k] = closedLogit;
    }
    found.set(flow, { ofExample, places, ...(closed && { closed }) });
  }
  for (const own of hidden) for (const edge of own) isHidden[edge] = 0;
  const { count } = numbering;
  const edges = numbering.ids.slice(0, count);
  return {
    examples,
    count,
    senders: pick(asked.senders, edges),
    receivers: pick(asked.receivers, edges),
    types: pick(asked.edgeTypes, edges),
    ofStep: ({ flow }) => {
      const { ofExample, places, closed } = found.get(flow)!;
      const pairs = (): Int32Array => places.map((place, k) => ofExample[k] * count + place);
      return {
        count: places.length,
        examples: deferredIndex(() => ofExample, examples),
        places: deferredIndex(() => places, count),
        // A dense plan has all edges of all examples, in the same order.
        ...(!dense && { pairs: deferredIndex(pairs, examples * count) }),
        ...(closed && { closed }),
      };
    },
  };
}

/** What only plans of batches with queries have. */
export function expectAsked<T>(value: T | undefined): T {
  if (value !== undefined) return value;
  const message = 'expected a plan with queries, got none (plan({ sources, queries }))';
  throw new TensorError('plan', 'option', message);
}
