import { DIRECTION_COUNT } from '../world/directions.ts';
import { checkNode } from '../world/world.ts';
import type { World } from '../world/world.ts';
import { MassLayer, walkStates } from './walk-states.ts';
import type { WalkStates } from './walk-states.ts';

/**
 * P(destination | source) of a rollout, [nodes], exactly: by dynamic programming over the states s of the
 * walk. Those are the node, and with a history also its x and y:
 *
 *   pₜ₊₁(s') = Σ pₜ(s) P(e | t, s)   over the steps e that lead from s to s',
 *   P(v)     = Σ pₜ(s) P(e | t, s)   over t < T, states s at v and steps e blocked there,  + p_T at v.
 *
 * No model's ranking of destinations is better than this one's, in expectation.
 */
export function exactDestinations(world: World, source: number): Float64Array {
  checkNode('exactDestinations', 'source', world.map, source);
  const { states, layers } = tablesOf(world);
  const { nodeCount } = world.map.graph;
  const destinations = new Float64Array(nodeCount);
  let [now, next] = layers;
  now.add(source, 1);
  for (let t = 0; t < world.parameters.steps; t++) {
    advance(world, states, source, t, now, next, destinations);
    now.clear();
    [now, next] = [next, now];
  }
  for (let i = 0; i < now.count; i++) {
    destinations[now.states[i] % nodeCount] += now.mass[now.states[i]];
  }
  now.clear();
  return destinations;
}

/** One step: moves the mass of `now` along edges to `next`, and where it is blocked to `destinations`. */
function advance(
  { map, stepDistributions, parameters }: World,
  { width }: WalkStates,
  source: number,
  t: number,
  now: MassLayer,
  next: MassLayer,
  destinations: Float64Array,
): void {
  const { history } = parameters.latentDirection;
  // The inner loop runs a billion times. So it has local copies, as a test runner makes every use of an import a
  // look-up, and `next.add` and `extendHistory` are written out.
  const [directions, ofMax, ofSum] = [DIRECTION_COUNT, history === 'max', history === 'sum'];
  const hasHistory = ofMax || ofSum;
  const { neighbors, x: nodeX, y: nodeY } = map;
  const { nodeCount } = map.graph;
  const { mass: nowMass, states: nowStates, count: nowCount } = now;
  const { mass: nextMass, states: nextStates } = next;
  const [firstX, firstY] = [nodeX[source], nodeY[source]];
  const [growthX, growthY] = [width * nodeCount, nodeCount];
  // Where the probabilities of a history begin, or without one those of a node; −1 until somebody asks.
  const rows = new Int32Array(hasHistory ? width * width : nodeCount).fill(-1);
  let nextCount = next.count;
  let { probabilities } = stepDistributions;
  for (let i = 0; i < nowCount; i++) {
    const state = nowStates[i];
    const mass = nowMass[state];
    const grown = (state / nodeCount) | 0;
    const node = state - grown * nodeCount;
    const grownX = (grown / width) | 0;
    const x = hasHistory ? firstX + grownX : nodeX[node];
    const y = hasHistory ? firstY + grown - grownX * width : nodeY[node];
    const place = hasHistory ? grown : node;
    if (rows[place] < 0) {
      rows[place] = stepDistributions.rowOf(t, x, y);
      probabilities = stepDistributions.probabilities;
    }
    const row = rows[place];
    const firstNeighbor = node * directions;
    for (let direction = 0; direction < directions; direction++) {
      const moved = mass * probabilities[row + direction];
      if (moved === 0) continue;
      const neighbor = neighbors[firstNeighbor + direction];
      if (neighbor < 0) {
        destinations[node] += moved;
        continue;
      }
      let nextState = state - node + neighbor;
      if (ofMax) {
        if (nodeX[neighbor] > x) nextState += growthX;
        if (nodeY[neighbor] > y) nextState += growthY;
      } else if (ofSum) nextState += nodeX[neighbor] * growthX + nodeY[neighbor] * growthY;
      const before = nextMass[nextState];
      if (before === 0) nextStates[nextCount++] = nextState;
      nextMass[nextState] = before + moved;
    }
  }
  next.count = nextCount;
}

/** The tables are large, and asked for once for every source of a dataset: a world keeps its own. */
function tablesOf(world: World): { states: WalkStates; layers: [MassLayer, MassLayer] } {
  const kept = tables.get(world);
  if (kept !== undefined) return kept;
  const states = walkStates(world);
  const made = {
    states,
    layers: [new MassLayer(states.count), new MassLayer(states.count)] as [MassLayer, MassLayer],
  };
  tables.set(world, made);
  return made;
}

const tables = new WeakMap<World, { states: WalkStates; layers: [MassLayer, MassLayer] }>();
