import { extendHistory, latentDirectionAt } from '../world/latent-direction.ts';
import type { World } from '../world/world.ts';

/** A direction at a node, of any length. */
export interface NodeArrow {
  readonly node: number;
  readonly dx: number;
  readonly dy: number;
}

/** When, or along which walk, the latent direction is shown. */
export interface LatentArrowOptions {
  /**
   * Follow this trajectory: each of its nodes with its own time and history. All nodes at one time when left
   * out.
   */
  readonly trajectory?: ArrayLike<number>;
  /** t, when there is no trajectory. 0 when left out. */
  readonly time?: number;
}

/** The latent directions of a world, to be drawn. Off a trajectory, a node's history is that node alone. */
export function latentArrows(world: World, { trajectory, time = 0 }: LatentArrowOptions = {}): NodeArrow[] {
  const { map, parameters } = world;
  const { latentDirection } = parameters;
  const arrowAt = (node: number, t: number, x: number, y: number): NodeArrow => {
    const [dx, dy] = latentDirectionAt(latentDirection, t, x, y);
    return { node, dx, dy };
  };
  if (trajectory === undefined) {
    return Array.from({ length: map.graph.nodeCount }, (_, node) =>
      arrowAt(node, time, map.x[node], map.y[node]),
    );
  }
  let [x, y] = [0, 0];
  return Array.from(trajectory, (node, t) => {
    x = t === 0 ? map.x[node] : extendHistory(latentDirection.history, x, map.x[node]);
    y = t === 0 ? map.y[node] : extendHistory(latentDirection.history, y, map.y[node]);
    return arrowAt(node, t, x, y);
  });
}
