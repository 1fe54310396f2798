import { DIRECTION_COUNT } from '../world/directions.ts';
import { PROBABILITY_UNIT } from '../world/step-distributions.ts';
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
  const area = states.width * states.width;
  const destinations = new Float64Array(world.map.graph.nodeCount);
  let [now, next] = layers;
  now.add(source * area, 1);
  for (let t = 0; t < world.parameters.steps; t++) {
    advance(world, states, source, t, now, next, destinations);
    now.clear();
    [now, next] = [next, now];
  }
  for (let i = 0; i < now.count; i++) {
    destinations[Math.floor(now.states[i] / area)] += now.mass[now.states[i]];
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
  // Local copies: a test runner makes every use of an import a look-up, in a loop that runs a billion times.
  const [directions, unit] = [DIRECTION_COUNT, PROBABILITY_UNIT];
  const { neighbors, x: nodeX, y: nodeY } = map;
  const [firstX, firstY] = [nodeX[source], nodeY[source]];
  const area = width * width;
  for (let i = 0; i < now.count; i++) {
    const state = now.states[i];
    const mass = now.mass[state];
    const node = (state / area) | 0;
    const grownX = ((state / width) | 0) - node * width;
    const grownY = state - node * area - grownX * width;
    const x = history === 'none' ? nodeX[node] : firstX + grownX;
    const y = history === 'none' ? nodeY[node] : firstY + grownY;
    const row = stepDistributions.rowOf(t, x, y);
    const { cumulative } = stepDistributions;
    let below = 0;
    for (let direction = 0; direction < directions; direction++) {
      const upTo = cumulative[row + direction];
      const moved = mass * ((upTo - below) * unit);
      below = upTo;
      if (moved === 0) continue;
      const neighbor = neighbors[node * directions + direction];
      if (neighbor < 0) {
        destinations[node] += moved;
        continue;
      }
      // What `extendHistory` does, written out for speed.
      let [nextX, nextY] = [0, 0];
      if (history === 'max') {
        nextX = Math.max(grownX, nodeX[neighbor] - firstX);
        nextY = Math.max(grownY, nodeY[neighbor] - firstY);
      } else if (history === 'sum') {
        nextX = grownX + nodeX[neighbor];
        nextY = grownY + nodeY[neighbor];
      }
      next.add(neighbor * area + nextX * width + nextY, moved);
    }
  }
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
