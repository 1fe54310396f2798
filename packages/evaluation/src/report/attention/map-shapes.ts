/** Parts of a map as paths. The unit is a cell: node (x, y) fills x … x + 1, and north is up. */
import { latentArrows, stopCross } from '@flowgrad/gridworld';
import type { GridMap, NodeArrow, World } from '@flowgrad/gridworld';

const hundredth = (value: number): string => String(Math.round(value * 100) / 100);
const left = ({ x }: GridMap, node: number): number => x[node];
const top = ({ y, size }: GridMap, node: number): number => size - 1 - y[node];

/** A square for each node. */
export function cellsPath(map: GridMap, nodes: Iterable<number>): string {
  let path = '';
  for (const node of nodes) path += `M${left(map, node)} ${top(map, node)}h1v1h-1z`;
  return path;
}

/** Where a node's middle lies. */
export function centreOf(map: GridMap, node: number): readonly [x: number, y: number] {
  return [left(map, node) + 0.5, top(map, node) + 0.5];
}

/** Each pair of neighbours once. */
export function edgesPath(map: GridMap): string {
  const { senders, receivers, edgeCount } = map.graph;
  let path = '';
  for (let edge = 0; edge < edgeCount; edge++) {
    const [from, to] = [senders[edge], receivers[edge]];
    if (from > to) continue;
    const [x, y] = centreOf(map, from);
    path += `M${x} ${y}l${left(map, to) - left(map, from)} ${top(map, to) - top(map, from)}`;
  }
  return path;
}

export function walkPath(map: GridMap, walk: readonly number[]): string {
  return `M${walk.map((node) => centreOf(map, node).join(' ')).join('L')}`;
}

export function diamondPath(map: GridMap, node: number): string {
  const [x, y] = centreOf(map, node);
  return `M${x} ${hundredth(y - 0.8)}l.8 .8l-.8 .8l-.8 -.8z`;
}

/** Of what has stopped for good; nothing where that is too little to draw. */
export function crossPath(map: GridMap, node: number, share: number): string {
  const [x, y] = centreOf(map, node);
  const half = 0.42 * stopCross(share);
  if (half === 0) return '';
  const by = hundredth(2 * half);
  return `M${hundredth(x - half)} ${hundredth(y - half)}l${by} ${by}m0 -${by}l-${by} ${by}`;
}

/** All of one length: a latent direction matters by its angle alone. */
export function arrowsPath(map: GridMap, arrows: readonly NodeArrow[]): string {
  return arrows
    .filter(({ dx, dy }) => Math.hypot(dx, dy) > 0)
    .map(({ node, dx, dy }) => {
      const norm = Math.hypot(dx, dy);
      // On the picture y points down.
      const [ux, uy] = [dx / norm, -dy / norm];
      const [x, y] = centreOf(map, node);
      const by = (along: number, across: number): string =>
        `${hundredth(along * ux - across * uy)} ${hundredth(along * uy + across * ux)}`;
      const start = `${hundredth(x - 0.42 * ux)} ${hundredth(y - 0.42 * uy)}`;
      return `M${start}l${by(0.84, 0)}m${by(-0.3, 0.2)}l${by(0.3, -0.2)}l${by(-0.3, -0.2)}`;
    })
    .join('');
}

/** The direction at every node, where it is a matter of place alone. */
export function directionField(world: World): NodeArrow[] {
  const { omega, history } = world.parameters.latentDirection;
  return omega === 0 && history === 'none' ? latentArrows(world) : [];
}
