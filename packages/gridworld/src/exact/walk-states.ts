import type { World } from '../world/world.ts';

/** Two tables of that many numbers are held at once: 192 MiB. */
const LARGEST_STATE_SPACE = 2 ** 23;

/**
 * The states that a walk of T steps from one source can be in: all that its next step depends on, beside t.
 *
 * State ((x − firstX) · width + y − firstY) · nodes + node, where (x, y) is the history. Without a history x
 * and y are the node's own, and the state is the node: width 1. Most steps leave the history as it is, so the
 * states that they lead to lie near one another in memory.
 */
export interface WalkStates {
  readonly width: number;
  readonly count: number;
}

export function walkStates({ map, parameters }: World): WalkStates {
  const { steps, latentDirection } = parameters;
  // A maximum grows by at most one a step, a sum by at most N − 1.
  const growth = {
    none: 0,
    max: Math.min(steps, map.size - 1),
    sum: steps * (map.size - 1),
  }[latentDirection.history];
  const width = growth + 1;
  const count = map.graph.nodeCount * width * width;
  if (count > LARGEST_STATE_SPACE) {
    const { history } = latentDirection;
    throw new RangeError(
      `exactDestinations: expected at most ${LARGEST_STATE_SPACE} states (node, ${history} x, ${history} y), ` +
        `got ${count} (a smaller world or fewer steps; rollouts sample it at any size)`,
    );
  }
  return { width, count };
}

/** The probability mass of one step, and the list of the states that have any. */
export class MassLayer {
  readonly mass: Float64Array;
  readonly states: Int32Array;
  count = 0;

  constructor(stateCount: number) {
    this.mass = new Float64Array(stateCount);
    this.states = new Int32Array(stateCount);
  }

  add(state: number, mass: number): void {
    if (this.mass[state] === 0) this.states[this.count++] = state;
    this.mass[state] += mass;
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.mass[this.states[i]] = 0;
    this.count = 0;
  }
}
