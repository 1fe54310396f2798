import { DIRECTION_COUNT } from '../world/directions.ts';
import { extendHistory } from '../world/latent-direction.ts';
import { PROBABILITY_UNIT } from '../world/step-distributions.ts';
import { checkNode } from '../world/world.ts';
import type { World } from '../world/world.ts';

/** Two tables of that many numbers are held at once: 128 MiB. */
const LARGEST_STATE_SPACE = 2 ** 23;

/**
 * P(destination | source) of a rollout, [nodes], exactly: by dynamic programming over the walk's state, which
 * is all that the next step depends on beside t. That is the node, and with a history also its x and y:
 *
 *   pₜ₊₁(s') = Σ pₜ(s) P(e | t, s)   over the steps e that lead from s to s',
 *   P(v)     = Σ pₜ(s) P(e | t, s)   over t < T, states s at v and steps e blocked there,  + p_T at v.
 *
 * No model's ranking of destinations is better than this one's, in expectation.
 */
export function exactDestinations(world: World, source: number): Float64Array {
  checkNode('exactDestinations', 'source', world.map, source);
  const { map, stepDistributions, parameters } = world;
  const { neighbors } = map;
  const { history } = parameters.latentDirection;
  const space = stateSpace(world, source);
  const destinations = new Float64Array(map.graph.nodeCount);

  let now = emptyLayer(space.size);
  let next = emptyLayer(space.size);
  addMass(now, space.indexOf(source, map.x[source], map.y[source]), 1);
  for (let t = 0; t < parameters.steps; t++) {
    for (let i = 0; i < now.count; i++) {
      const state = now.states[i];
      const mass = now.mass[state];
      const node = space.nodeOf(state);
      const x = space.xOf(state);
      const y = space.yOf(state);
      const row = stepDistributions.rowOf(t, x, y);
      const { cumulative } = stepDistributions;
      let below = 0;
      for (let direction = 0; direction < DIRECTION_COUNT; direction++) {
        const upTo = cumulative[row + direction];
        const probability = (upTo - below) * PROBABILITY_UNIT;
        below = upTo;
        if (probability === 0) continue;
        const neighbor = neighbors[node * DIRECTION_COUNT + direction];
        if (neighbor < 0) {
          destinations[node] += mass * probability;
        } else {
          const nextX = extendHistory(history, x, map.x[neighbor]);
          const nextY = extendHistory(history, y, map.y[neighbor]);
          addMass(next, space.indexOf(neighbor, nextX, nextY), mass * probability);
        }
      }
    }
    clearLayer(now);
    [now, next] = [next, now];
  }
  for (let i = 0; i < now.count; i++) destinations[space.nodeOf(now.states[i])] += now.mass[now.states[i]];
  return destinations;
}

/**
 * Numbers the states (node, x, y) that a walk of T steps can be in. Without a history x and y are the node's
 * own.
 */
function stateSpace({ map, parameters }: World, source: number) {
  const { history } = parameters.latentDirection;
  const { steps } = parameters;
  if (history === 'none') {
    return {
      size: map.graph.nodeCount,
      indexOf: (node: number, _x: number, _y: number) => node,
      nodeOf: (state: number) => state,
      xOf: (state: number) => map.x[state],
      yOf: (state: number) => map.y[state],
    };
  }
  // A maximum grows by at most one a step, a sum by at most N − 1.
  const growth = history === 'max' ? Math.min(steps, map.size - 1) : steps * (map.size - 1);
  const [firstX, firstY] = [map.x[source], map.y[source]];
  const width = growth + 1;
  const size = map.graph.nodeCount * width * width;
  if (size > LARGEST_STATE_SPACE) {
    throw new RangeError(
      `exactDestinations: expected at most ${LARGEST_STATE_SPACE} states (node, ${history} x, ${history} y), ` +
        `got ${size} (a smaller world or fewer steps; rollouts sample it at any size)`,
    );
  }
  return {
    size,
    indexOf: (node: number, x: number, y: number) => (node * width + x - firstX) * width + y - firstY,
    nodeOf: (state: number) => Math.floor(state / (width * width)),
    xOf: (state: number) => (Math.floor(state / width) % width) + firstX,
    yOf: (state: number) => (state % width) + firstY,
  };
}

/** The probability mass of one step, and the list of the states that have any. */
interface Layer {
  readonly mass: Float64Array;
  readonly states: Int32Array;
  count: number;
}

function emptyLayer(size: number): Layer {
  return { mass: new Float64Array(size), states: new Int32Array(size), count: 0 };
}

function addMass(layer: Layer, state: number, mass: number): void {
  if (layer.mass[state] === 0) layer.states[layer.count++] = state;
  layer.mass[state] += mass;
}

function clearLayer(layer: Layer): void {
  for (let i = 0; i < layer.count; i++) layer.mass[layer.states[i]] = 0;
  layer.count = 0;
}
