/** What attention cannot do on a graph, found before a model is trained on it in vain. */
import { rejectUnknownOptions } from '@flowgrad/tensor';
import { outDegrees } from './degrees.ts';
import type { Graph } from './graph.ts';
import { findOutOfReach } from './out-of-reach.ts';
import type { OutOfReach } from './out-of-reach.ts';
import { readCount, readEdge, readNode } from './read-indices.ts';

/** The examples that a model with attention flow is to learn. */
export interface ExamplesToCheck {
  /** T: how many steps attention flows. */
  readonly steps: number;
  readonly sources: ArrayLike<number>;
  /** One for each source. */
  readonly destinations: ArrayLike<number>;
  /** For each example the edges of the graph that its attention does not walk along, as plans have them; none unless given. */
  readonly hidden?: readonly (readonly number[])[];
  /** What the examples are called: 'examples' unless given. */
  readonly name?: string;
}

const where = 'checkExamples';

/**
 * Sentences for a person, each with counts and with what to do; none if all is well. They tell of nodes that attention cannot
 * stay at, and of examples whose destination no attention can be at after T steps: these add a constant to the loss, and
 * nothing is learnt of them.
 */
export function checkExamples(graph: Graph, examples: ExamplesToCheck): readonly string[] {
  rejectUnknownOptions(where, examples, ['steps', 'sources', 'destinations', 'hidden', 'name']);
  const { sources, destinations, hidden = [], name = 'examples' } = examples;
  const steps = readCount(where, 'steps', examples.steps);
  if (destinations.length !== sources.length) {
    throw new RangeError(
      `${where}: expected a destination for each of ${sources.length} sources, got ${destinations.length}`,
    );
  }
  if (examples.hidden && hidden.length !== sources.length) {
    throw new RangeError(
      `${where}: expected hidden edges for each of ${sources.length} sources, got ${hidden.length}`,
    );
  }
  for (let i = 0; i < sources.length; i++) {
    readNode(where, 'sources', sources[i], graph.nodeCount, i);
    readNode(where, 'destinations', destinations[i], graph.nodeCount, i);
    for (const edge of hidden[i] ?? []) readEdge(where, 'hidden', edge, graph.edgeCount);
  }
  const missing = graph.nodeCount - loopCount(graph);
  const found = findOutOfReach(graph, { steps, sources, destinations, hidden }, missing === 0);
  return [
    ...(missing === 0 ? [] : [aboutLoops(graph, missing)]),
    ...(found.outOfReach.length === 0 ? [] : [aboutReach(found, sources.length, steps, name)]),
  ];
}

function aboutLoops(graph: Graph, missing: number): string {
  const ends = outDegrees(graph).reduce((count, degree) => count + Number(degree === 0), 0);
  const lost = ends === 0 ? '' : `, and at ${counted(ends)} of them, which no edge leaves, it is lost`;
  return (
    `${counted(missing)} of ${counted(graph.nodeCount)} nodes have no self-loop: attention cannot stay there${lost} ` +
    `(withSelfLoops(graph) adds a loop to every node)`
  );
}

function aboutReach({ outOfReach, byHiding }: OutOfReach, all: number, steps: number, name: string): string {
  const some = outOfReach.slice(0, 5).join(', ');
  const more = outOfReach.length > 5 ? ', …' : '';
  const hidden =
    byHiding === 0 ? '' : `, ${counted(byHiding)} of them because of the edges that are hidden from them`;
  return (
    `${counted(outOfReach.length)} of ${counted(all)} ${name} have a destination that no attention can be at after ${steps} ` +
    `${steps === 1 ? 'step' : 'steps'}${hidden}: their loss is a constant without a gradient (give more steps, or leave them out: numbers ${some}${more})`
  );
}

const counted = (count: number): string => count.toLocaleString('en');

/** How many nodes have a self-loop, of any type. */
function loopCount({ senders, receivers }: Graph): number {
  return new Set(senders.filter((sender, edge) => sender === receivers[edge])).size;
}
