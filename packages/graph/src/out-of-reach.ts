/** Examples whose destination attention cannot be at after so many steps. */
import type { EdgeOrder } from './edge-order.ts';
import type { Graph } from './graph.ts';
import { createHopSearch } from './hop-distances.ts';
import { createHopsBetween } from './hops-between.ts';

/** What was found among examples. */
export interface OutOfReach {
  /** Numbers of the examples without a path of exactly `steps` edges from source to destination. */
  readonly outOfReach: readonly number[];
  /** How many of them have such a path along their hidden edges. */
  readonly byHiding: number;
}

interface Examples {
  readonly steps: number;
  readonly sources: ArrayLike<number>;
  readonly destinations: ArrayLike<number>;
  /** By example; where there is no list nothing is hidden. */
  readonly hidden: readonly (readonly number[])[];
}

/** `canStay` where every node has a self-loop. The examples have been checked. */
export function findOutOfReach(
  graph: Graph,
  { steps, sources, destinations, hidden }: Examples,
  canStay: boolean,
): OutOfReach {
  const outOfReach: number[] = [];
  let byHiding = 0;
  const hasPath = pathFinder(graph, steps, canStay);
  const bySource = new Map<number, number[]>();
  for (let i = 0; i < sources.length; i++) {
    const own = hidden[i] ?? [];
    if (own.length === 0) {
      const same = bySource.get(sources[i]);
      if (same) same.push(i);
      else bySource.set(sources[i], [i]);
    } else if (!hasPath(sources[i], destinations[i], own)) {
      outOfReach.push(i);
      if (hasPath(sources[i], destinations[i], [])) byHiding += 1;
    }
  }
  // What one source reaches is forgotten before the next is looked at: a graph may have a hundred thousand of each.
  const reachedFrom = canStay ? byHops(graph, steps) : byWalks(graph, steps);
  for (const [source, own] of bySource) {
    const reached = reachedFrom(source);
    outOfReach.push(...own.filter((i) => reached[destinations[i]] === 0));
  }
  return { outOfReach: outOfReach.sort((a, b) => a - b), byHiding };
}

type HasPath = (source: number, destination: number, hidden: readonly number[]) => boolean;

/**
 * Whether attention can be at the destination after `steps`, for examples that share no table with others of their source
 * because of their hidden edges. Each is searched for from both ends.
 */
function pathFinder(graph: Graph, steps: number, canStay: boolean): HasPath {
  const { senders, receivers } = graph;
  const hopsBetween = createHopsBetween(graph);
  const walks = walksBetween(graph, steps);
  const isLoop = (edge: number): boolean => senders[edge] === receivers[edge];
  const loops = new Int32Array(graph.nodeCount);
  senders.forEach((sender, edge) => (loops[sender] += Number(isLoop(edge))));
  /** Whether all loops of some node are hidden, so that attention cannot stay there. */
  const losesLoop = (hidden: readonly number[]): boolean => {
    const hiddenLoops = [...new Set(hidden.filter(isLoop))].map((edge) => senders[edge]);
    return hiddenLoops.some((node) => hiddenLoops.filter((each) => each === node).length === loops[node]);
  };
  return (source, destination, hidden) =>
    canStay && !losesLoop(hidden)
      ? hopsBetween(source, destination, { maxHops: steps, hidden }) <= steps
      : walks(source, destination, hidden);
}

/** Where attention cannot stay at each node: whether what it comes to meets what leads to the destination. */
function walksBetween({ senders, receivers, bySender, byReceiver }: Graph, steps: number): HasPath {
  const next = (
    now: ReadonlySet<number>,
    { offsets, permutation }: EdgeOrder,
    ends: Int32Array,
    hidden: readonly number[],
  ): Set<number> => {
    const found = new Set<number>();
    for (const node of now) {
      for (let i = offsets[node]; i < offsets[node + 1]; i++) {
        if (!hidden.includes(permutation[i])) found.add(ends[permutation[i]]);
      }
    }
    return found;
  };
  return (source, destination, hidden) => {
    let [ahead, back] = [new Set([source]), new Set([destination])];
    for (let t = 0; t < steps && ahead.size > 0 && back.size > 0; t++) {
      if (ahead.size <= back.size) ahead = next(ahead, bySender, receivers, hidden);
      else back = next(back, byReceiver, senders, hidden);
    }
    return [...ahead].some((node) => back.has(node));
  };
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
