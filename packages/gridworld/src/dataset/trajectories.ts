import type { World } from '../world/world.ts';
import { rollOutInto } from './rollout.ts';

/**
 * Trajectories of different lengths, side by side. Trajectory i has nodes[offsets[i]] …
 * nodes[offsets[i+1]−1].
 */
export interface Trajectories {
  readonly count: number;
  /** [count + 1] */
  readonly offsets: Int32Array;
  readonly nodes: Int32Array;
  /** [count] the first node of each. */
  readonly sources: Int32Array;
  /** [count] the last node of each. */
  readonly destinations: Int32Array;
}

export function trajectoriesFrom(offsets: ArrayLike<number>, nodes: ArrayLike<number>): Trajectories {
  const count = offsets.length - 1;
  const sources = new Int32Array(count);
  const destinations = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    sources[i] = nodes[offsets[i]];
    destinations[i] = nodes[offsets[i + 1] - 1];
  }
  return { count, offsets: Int32Array.from(offsets), nodes: Int32Array.from(nodes), sources, destinations };
}

/** The nodes of trajectory i, source first. */
export function trajectoryNodes({ count, offsets, nodes }: Trajectories, i: number): Int32Array {
  if (!Number.isInteger(i) || i < 0 || i >= count) {
    throw new RangeError(
      `trajectoryNodes: expected a trajectory in 0..${count - 1} (${count} trajectories), got ${i}`,
    );
  }
  return nodes.subarray(offsets[i], offsets[i + 1]);
}

/**
 * Rolls out from every node. Of rollouts with the same source and destination the first is kept; those that
 * end at their source are kept too.
 */
export function sampleTrajectories(world: World, seed: number): Trajectories {
  const { steps, rollouts } = world.parameters;
  const path = new Int32Array(steps + 1);
  const seen = new Int32Array(world.map.graph.nodeCount).fill(-1);
  const offsets = [0];
  const nodes: number[] = [];
  for (let source = 0; source < world.map.graph.nodeCount; source++) {
    for (let rollout = 0; rollout < rollouts; rollout++) {
      const length = rollOutInto(path, world, source, seed, rollout);
      const destination = path[length - 1];
      if (seen[destination] === source) continue;
      seen[destination] = source;
      for (let i = 0; i < length; i++) nodes.push(path[i]);
      offsets.push(nodes.length);
    }
  }
  return trajectoriesFrom(offsets, nodes);
}
