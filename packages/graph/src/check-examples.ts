/** What attention cannot do on a graph, found before a model is trained on it in vain. */
import { rejectUnknownOptions } from '@flowgrad/tensor';
import { outDegrees } from './degrees.ts';
import type { Graph } from './graph.ts';
import { createHopSearch } from './hop-distances.ts';
import { readCount, readNode } from './read-indices.ts';

/** The examples that a model with attention flow is to learn. */
export interface ExamplesToCheck {
  /** T: how many steps attention flows. */
  readonly steps: number;
  readonly sources: ArrayLike<number>;
  /** One for each source. */
  readonly destinations: ArrayLike<number>;
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
  rejectUnknownOptions(where, examples, ['steps', 'sources', 'destinations', 'name']);
  const { sources, destinations, name = 'examples' } = examples;
  const steps = readCount(where, 'steps', examples.steps);
  if (destinations.length !== sources.length) {
    throw new RangeError(
      `${where}: expected a destination for each of ${sources.length} sources, got ${destinations.length}`,
    );
  }
  const missing = graph.nodeCount - loopCount(graph);
  const outOfReach = findOutOfReach(graph, { steps, sources, destinations }, missing === 0);
  return [
    ...(missing === 0 ? [] : [aboutLoops(graph, missing)]),
    ...(outOfReach.length === 0 ? [] : [aboutReach(outOfReach, sources.length, steps, name)]),
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

function aboutReach(outOfReach: readonly number[], all: number, steps: number, name: string): string {
  const some = outOfReach.slice(0, 5).join(', ');
  const more = outOfReach.length > 5 ? ', …' : '';
  return (
    `${counted(outOfReach.length)} of ${counted(all)} ${name} have a destination that no attention can be at after ${steps} ` +
    `${steps === 1 ? 'step' : 'steps'}: their loss is a constant without a gradient (give more steps, or leave them out: numbers ${some}${more})`
  );
}

const counted = (count: number): string => count.toLocaleString('en');

/** How many nodes have a self-loop, of any type. */
function loopCount({ senders, receivers }: Graph): number {
  return new Set(senders.filter((sender, edge) => sender === receivers[edge])).size;
}

/** Numbers of the examples without a path of exactly `steps` edges from source to destination. */
function findOutOfReach(
  graph: Graph,
  { steps, sources, destinations }: ExamplesToCheck,
  canStay: boolean,
): number[] {
  const { nodeCount } = graph;
  const reachedFrom = canStay ? byHops(graph, steps) : byWalks(graph, steps);
  const bySource = new Map<number, number[]>();
  for (let i = 0; i < sources.length; i++) {
    const source = readNode(where, 'sources', sources[i], nodeCount, i);
    readNode(where, 'destinations', destinations[i], nodeCount, i);
    const same = bySource.get(source);
    if (same) same.push(i);
    else bySource.set(source, [i]);
  }
  // What one source reaches is forgotten before the next is looked at: a graph may have a hundred thousand of each.
  const outOfReach: number[] = [];
  for (const [source, own] of bySource) {
    const reached = reachedFrom(source);
    outOfReach.push(...own.filter((i) => reached[destinations[i]] === 0));
  }
  return outOfReach.sort((a, b) => a - b);
}

/** [nodes] 1 for those that attention can be at after `steps`. Where it can stay anywhere, a shorter path is as good. */
function byHops(graph: Graph, steps: number): (source: number) => Uint8Array {
  const search = createHopSearch(graph);
  const out = new Int32Array(graph.nodeCount);
  const reached = new Uint8Array(graph.nodeCount);
  return (source) => {
    search.from(source, { maxHops: steps, out });
    for (let node = 0; node < out.length; node++) reached[node] = Number(out[node] <= steps);
    return reached;
  };
}

/** The same where it must go on: the receivers of the receivers, `steps` times. */
function byWalks({ nodeCount, senders, receivers }: Graph, steps: number): (source: number) => Uint8Array {
  return (source) => {
    let now = new Uint8Array(nodeCount);
    now[source] = 1;
    for (let t = 0; t < steps; t++) {
      const next = new Uint8Array(nodeCount);
      for (let edge = 0; edge < senders.length; edge++) {
        if (now[senders[edge]] === 1) next[receivers[edge]] = 1;
      }
      now = next;
    }
    return now;
  };
}
