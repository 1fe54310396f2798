/** Where the nodes of a picture lie, in units of their own; y points up. */
import type { GridMap } from '@flowgrad/gridworld';
import type { NodePositions } from '../protocol/world-protocol.ts';

export interface Places {
  /** [nodes] */
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Between neighbours, as a rule. */
  readonly spacing: number;
  /** What is to be seen: left, bottom, right, top. */
  readonly bounds: readonly [number, number, number, number];
  /** How far from its centre a node is hit. */
  readonly reach: number;
}

/** Nodes are cells of a square. */
export function gridPlaces({ x, y, size }: GridMap): Places {
  return { x, y, spacing: 1, bounds: [-0.5, -0.5, size - 0.5, size - 0.5], reach: 0.5 };
}

interface Ends {
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
}

/** Nodes lie anywhere: how large they are drawn follows from how near most of them have a neighbour. */
export function graphPlaces({ x, y }: NodePositions, { senders, receivers }: Ends): Places {
  const [left, right] = extentOf(x);
  const [bottom, top] = extentOf(y);
  const nearest = new Float64Array(x.length).fill(Infinity);
  for (let edge = 0; edge < senders.length; edge++) {
    const [from, to] = [senders[edge], receivers[edge]];
    const length = Math.hypot(x[from] - x[to], y[from] - y[to]);
    if (length === 0) continue;
    nearest[from] = Math.min(nearest[from], length);
    nearest[to] = Math.min(nearest[to], length);
  }
  const sorted = nearest.filter(Number.isFinite).sort();
  const side = Math.max(right - left, top - bottom) || 1;
  const typical = sorted.length > 0 ? sorted[sorted.length >> 1] : side;
  // No more than all nodes have room for, nor so much that a few fill the picture, nor so little that nothing is seen.
  const spacing = Math.max(side / 140, Math.min(typical, side / Math.sqrt(x.length), side / 12));
  const margin = spacing;
  return {
    ...{ x, y, spacing, reach: spacing },
    bounds: [left - margin, bottom - margin, right + margin, top + margin],
  };
}

function extentOf(values: Float32Array): [least: number, most: number] {
  let [least, most] = [values[0], values[0]];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}
