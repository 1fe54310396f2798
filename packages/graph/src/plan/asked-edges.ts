/** What tells, of a plan whose examples ask, which example and which edge of the graph each of its edges is. */
import { deferredIndex } from '@flowgrad/tensor';
import type { RowIndex } from '@flowgrad/tensor';
import type { FlowPlan, FlowStep, PlanQueries } from './plan.ts';

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

export function askedEdges(asked: PlanQueries, plan: FlowPlan): AskedEdges {
  const { edges, ofStep } = plan.dense ? everyEdge(asked, plan) : someEdges(asked, plan);
  const read = (of: Int32Array): Int32Array => Int32Array.from(edges, (edge) => of[edge]);
  return {
    examples: plan.examples,
    count: edges.length,
    senders: read(asked.senders),
    receivers: read(asked.receivers),
    types: read(asked.edgeTypes),
    ofStep,
  };
}

interface FoundEdges {
  /** Edge of the plan → edge of the graph. */
  readonly edges: ArrayLike<number>;
  ofStep(this: void, step: FlowStep): AskedStep;
}

/** Of a dense plan, in which each example has all edges, in the same order. */
function everyEdge({ hidden = [] }: PlanQueries, { steps, examples, edgeCount }: FlowPlan): FoundEdges {
  const edges = steps[0].flow.outputs.toArray().subarray(0, edgeCount);
  const count = examples * edgeCount;
  const some = hidden.some((own) => own.length > 0);
  const closed = some ? new Float32Array(count) : undefined;
  if (closed) {
    const placeOf = new Int32Array(edgeCount);
    edges.forEach((edge, place) => (placeOf[edge] = place));
    hidden.forEach((own, example) => {
      for (const edge of own) closed[example * edgeCount + placeOf[edge]] = closedLogit;
    });
  }
  const each = (of: (k: number) => number) => (): Int32Array =>
    Int32Array.from({ length: count }, (_, k) => of(k));
  const step: AskedStep = {
    count,
    examples: deferredIndex(
      each((k) => Math.floor(k / edgeCount)),
      examples,
    ),
    places: deferredIndex(
      each((k) => k % edgeCount),
      edgeCount,
    ),
    ...(closed && { closed }),
  };
  return { edges, ofStep: () => step };
}

/** Memory that is filled again for each plan over a graph: what a plan costs follows from its edges, not the graph's. */
interface Scratch {
  /** Edge of the graph → its place in the plan, −1 between two plans. */
  readonly placeOf: Int32Array;
  /** Edge of the graph → 1 where it is hidden for some example, 0 between two plans. */
  readonly isHidden: Uint8Array;
}
const scratches = new WeakMap<Int32Array, Scratch>();

function scratchOf({ receivers }: PlanQueries, edgeCount: number): Scratch {
  const known = scratches.get(receivers);
  if (known) return known;
  const made = { placeOf: new Int32Array(edgeCount).fill(-1), isHidden: new Uint8Array(edgeCount) };
  scratches.set(receivers, made);
  return made;
}

/** Of a plan in which each example has edges of its own. */
function someEdges(asked: PlanQueries, { steps, examples, edgeCount }: FlowPlan): FoundEdges {
  const { hidden = [] } = asked;
  const { placeOf, isHidden } = scratchOf(asked, edgeCount);
  const hiddenPairs = new Set(
    hidden.flatMap((own, example) => own.map((edge) => example * edgeCount + edge)),
  );
  for (const own of hidden) for (const edge of own) isHidden[edge] = 1;
  const edges: number[] = [];
  const found = new Map<FlowStep, { ofExample: Int32Array; places: Int32Array; closed?: Float32Array }>();
  for (const step of steps) {
    if (found.has(step)) continue;
    const outputs = step.flow.outputs.toArray();
    const [ofExample, places] = [new Int32Array(outputs.length), new Int32Array(outputs.length)];
    let closed: Float32Array | undefined;
    // Edges come example by example.
    let [example, first] = [0, 0];
    for (let k = 0; k < outputs.length; k++) {
      while (outputs[k] >= first + edgeCount) first = ++example * edgeCount;
      const edge = outputs[k] - first;
      if (placeOf[edge] < 0) placeOf[edge] = edges.push(edge) - 1;
      ofExample[k] = example;
      places[k] = placeOf[edge];
      // Few edges are hidden for any example: the others need no look into the set.
      if (isHidden[edge] === 0 || !hiddenPairs.has(outputs[k])) continue;
      closed ??= new Float32Array(outputs.length);
      closed[k] = closedLogit;
    }
    found.set(step, { ofExample, places, ...(closed && { closed }) });
  }
  for (const edge of edges) placeOf[edge] = -1;
  for (const own of hidden) for (const edge of own) isHidden[edge] = 0;
  const all = edges.length;
  const ofStep = (step: FlowStep): AskedStep => {
    const { ofExample, places, closed } = found.get(step)!;
    const pairs = (): Int32Array => places.map((place, k) => ofExample[k] * all + place);
    return {
      count: places.length,
      examples: deferredIndex(() => ofExample, examples),
      places: deferredIndex(() => places, all),
      pairs: deferredIndex(pairs, examples * all),
      ...(closed && { closed }),
    };
  };
  return { edges, ofStep };
}
