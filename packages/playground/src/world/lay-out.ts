/** Places for nodes of which none are known, by forces between them. */
import { forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force';
import type { SimulationNodeDatum } from 'd3-force';
import { RandomStream } from '@flowgrad/data';
import type { Graph } from '@flowgrad/graph';
import { nextMessage } from '../protocol/next-message.ts';
import type { LayoutNews, NodePositions } from '../protocol/world-protocol.ts';
import { firstPlaces } from './first-places.ts';

/** Never renumber it: a seed means the same layout. */
const LAYOUT_STREAM = 201;
const ticks = 120;
const tellingEvery = 60;
const distance = 30;

export interface LayOutOptions {
  readonly seed: number;
  /** Called some times a second with how far it is. */
  readonly tell: (news: LayoutNews) => void;
  /** It ends where it is when nobody wants it any more. */
  readonly isWanted: () => boolean;
}

/** Linked nodes lie near each other. The same for the same graph and seed, however often it is told of meanwhile. */
export async function layOut(graph: Graph, { seed, tell, isWanted }: LayOutOptions): Promise<LayoutNews> {
  const { nodeCount, edgeCount, senders, receivers } = graph;
  const random = new RandomStream(seed, LAYOUT_STREAM);
  const start = firstPlaces(graph, random);
  const bodies = Array.from({ length: nodeCount }, (_, node): SimulationNodeDatum => {
    return { x: distance * start.x[node], y: distance * start.y[node] };
  });
  // One for an edge and its reverse.
  const links = Array.from({ length: edgeCount }, (_, edge) => edge)
    .filter((edge) => senders[edge] < receivers[edge] || !hasReverse(graph, edge))
    .map((edge) => ({ source: bodies[senders[edge]], target: bodies[receivers[edge]] }));
  const simulation = forceSimulation(bodies)
    .randomSource(() => random.nextUint32() / 2 ** 32)
    .force('links', forceLink(links).distance(distance))
    .force('charge', forceManyBody().strength(-distance).theta(1.3))
    .force('x', forceX(0).strength(0.02))
    .force('y', forceY(0).strength(0.02))
    .alphaDecay(1 - 0.001 ** (1 / ticks))
    .stop();
  const positions = (): NodePositions => ({
    x: Float32Array.from(bodies, ({ x = 0 }) => x),
    y: Float32Array.from(bodies, ({ y = 0 }) => y),
  });
  let toldAt = -Infinity;
  for (let tick = 0; tick < ticks && isWanted(); tick++) {
    if (performance.now() - toldAt > tellingEvery) {
      tell({ share: tick / ticks, positions: positions() });
      toldAt = performance.now();
      await nextMessage();
    }
    simulation.tick();
  }
  return { share: 1, positions: positions() };
}

function hasReverse({ senders, receivers, bySender }: Graph, edge: number): boolean {
  const { offsets, permutation } = bySender;
  const [from, to] = [receivers[edge], senders[edge]];
  for (let i = offsets[from]; i < offsets[from + 1]; i++) if (receivers[permutation[i]] === to) return true;
  return false;
}
