import { checkSeed } from '@flowgrad/data';
import { philox } from '@flowgrad/tensor';
import { STREAMS } from '../random/streams.ts';
import { DIRECTION_COUNT } from '../world/directions.ts';
import { extendHistory } from '../world/latent-direction.ts';
import { checkNode } from '../world/world.ts';
import type { World } from '../world/world.ts';

/** Which of the many walks from a source to take. */
export interface RolloutOptions {
  readonly seed: number;
  /** Which of the rollouts from this source: each has random numbers of its own. */
  readonly rollout: number;
}

/** The nodes of one rollout: the source, then up to T more. Shorter than T + 1 means blocked. */
export function rollOut(world: World, source: number, { seed, rollout }: RolloutOptions): Int32Array {
  checkSeed('rollOut', seed);
  checkNode('rollOut', 'source', world.map, source);
  const path = new Int32Array(world.parameters.steps + 1);
  return path.slice(0, rollOutInto(path, world, source, seed, rollout));
}

const words = new Uint32Array(4);

/**
 * Writes a rollout to `path` and returns its number of nodes.
 *
 * At step t one of all eight directions is drawn, whether or not there is an edge; without one the rollout
 * ends where it is. Step t uses word t mod 4 of the Philox block with counter (source cell, rollout, ⌊t/4⌋):
 * the numbers do not depend on other rollouts, on T, or on which nodes were dropped.
 */
export function rollOutInto(
  path: Int32Array,
  world: World,
  source: number,
  seed: number,
  rollout: number,
): number {
  const { map, stepDistributions, parameters } = world;
  const { steps, latentDirection } = parameters;
  const { history } = latentDirection;
  const cell = map.y[source] * map.size + map.x[source];
  let node = source;
  let x = map.x[source];
  let y = map.y[source];
  path[0] = source;
  for (let t = 0; t < steps; t++) {
    if (t % 4 === 0) philox(words, cell, rollout, t >>> 2, 0, seed, STREAMS.trajectories);
    const row = stepDistributions.rowOf(t, x, y);
    const direction = drawDirection(stepDistributions.cumulative, row, words[t % 4]);
    node = map.neighbors[node * DIRECTION_COUNT + direction];
    if (node < 0) return t + 1;
    path[t + 1] = node;
    x = extendHistory(history, x, map.x[node]);
    y = extendHistory(history, y, map.y[node]);
  }
  return steps + 1;
}

/** The first direction whose cumulative probability exceeds the word. */
function drawDirection(cumulative: Float64Array, row: number, word: number): number {
  let direction = 0;
  while (word >= cumulative[row + direction]) direction++;
  return direction;
}
