import type { GridMap } from '../world/grid-map.ts';
import type { NodeArrow } from './latent-arrows.ts';
import { stopCross } from './stop-cross.ts';
import type { Theme } from './theme.ts';

/** Where things lie on the picture, and how they look. */
export interface Frame {
  readonly map: GridMap;
  readonly theme: Theme;
  readonly cell: number;
  readonly left: number;
  readonly top: number;
  readonly xOf: (node: number) => number;
  readonly yOf: (node: number) => number;
}

/** Two edges between the same nodes look like one: a single path holds each line once. */
export function edgeMarks({ map, theme, cell, xOf, yOf }: Frame): string {
  const { senders, receivers, edgeCount } = map.graph;
  const drawn = new Set<number>();
  let path = '';
  for (let edge = 0; edge < edgeCount; edge++) {
    const [low, high] = [Math.min(senders[edge], receivers[edge]), Math.max(senders[edge], receivers[edge])];
    const line = low * map.graph.nodeCount + high;
    if (drawn.has(line)) continue;
    drawn.add(line);
    path += `M${short(xOf(low))} ${short(yOf(low))}L${short(xOf(high))} ${short(yOf(high))}`;
  }
  return path === '' ? '' : `<path d="${path}" stroke="${theme.edge}" stroke-width="${short(cell / 16)}"/>\n`;
}

/**
 * The more of the distribution a node has, the larger it is: what matters is seen in one glance, without
 * colour too.
 */
export function nodeMarks({ map, theme, cell, xOf, yOf }: Frame, positions?: Float64Array): string {
  let circles = '';
  for (let node = 0; node < map.graph.nodeCount; node++) {
    const position = positions === undefined ? -1 : positions[node];
    const radius = short(cell * (position < 0 ? 0.18 : 0.22 + 0.24 * Math.sqrt(position)));
    const fill = position < 0 ? '' : ` fill="${theme.scale(position)}"`;
    circles += `<circle cx="${short(xOf(node))}" cy="${short(yOf(node))}" r="${radius}"${fill}/>\n`;
  }
  const outline = `stroke="${theme.nodeOutline}" stroke-width="${short(cell / 24)}"`;
  return `<g fill="${theme.emptyNode}" ${outline}>\n${circles}</g>\n`;
}

/** A cross where enough has stopped for good to matter. */
export function stopMarks({ map, theme, cell, xOf, yOf }: Frame, stopped: ArrayLike<number>): string {
  let path = '';
  for (let node = 0; node < map.graph.nodeCount; node++) {
    const half = cell * 0.4 * stopCross(stopped[node]);
    if (half === 0) continue;
    const [x, y] = [xOf(node), yOf(node)];
    path += `M${short(x - half)} ${short(y - half)}L${short(x + half)} ${short(y + half)}`;
    path += `M${short(x - half)} ${short(y + half)}L${short(x + half)} ${short(y - half)}`;
  }
  if (path === '') return '';
  const line = (color: string, width: number): string =>
    `<path d="${path}" fill="none" stroke="${color}" stroke-width="${short(cell * width)}" stroke-linecap="round"/>\n`;
  return line(theme.background, 0.26) + line(theme.text, 0.12);
}

/**
 * All arrows have one length: a latent direction matters by its angle alone. One of zero length is left out.
 */
export function arrowMarks({ cell, xOf, yOf }: Frame, arrows: readonly NodeArrow[], color: string): string {
  let path = '';
  for (const { node, dx, dy } of arrows) {
    const norm = Math.hypot(dx, dy);
    if (norm === 0) continue;
    // On the picture y points down.
    const [ux, uy] = [(dx / norm) * cell, (-dy / norm) * cell];
    const [tipX, tipY] = [xOf(node) + 0.4 * ux, yOf(node) + 0.4 * uy];
    const barb = (side: number): string =>
      `${short(tipX - 0.26 * ux + side * 0.15 * uy)} ${short(tipY - 0.26 * uy - side * 0.15 * ux)}`;
    path += `M${short(xOf(node) - 0.4 * ux)} ${short(yOf(node) - 0.4 * uy)}L${short(tipX)} ${short(tipY)}`;
    path += `M${barb(1)}L${short(tipX)} ${short(tipY)}L${barb(-1)}`;
  }
  if (path === '') return '';
  const stroke = `stroke="${color}" stroke-width="${short(cell * 0.09)}" stroke-linecap="round"`;
  return `<path d="${path}" fill="none" ${stroke} stroke-linejoin="round"/>\n`;
}

/**
 * The walk as a line, its source as a ring, its destination as a diamond: hollow, the nodes' colours stay in
 * sight.
 */
export function trajectoryMarks(frame: Frame, trajectory: ArrayLike<number>): string {
  if (trajectory.length === 0) return '';
  const { cell, xOf, yOf } = frame;
  const points = Array.from(trajectory, (node) => `${short(xOf(node))},${short(yOf(node))}`).join(' ');
  const [source, destination] = [trajectory[0], trajectory[trajectory.length - 1]];
  const [x, y, reach] = [xOf(destination), yOf(destination), cell * 0.72];
  const [ahead, back] = [short(reach), short(-reach)];
  const diamond = `M${short(x)} ${short(y - reach)}l${ahead} ${ahead}l${back} ${ahead}l${back} ${back}z`;
  return group(
    mark(frame, `polyline points="${points}"`, 0.2),
    ringMark(frame, source),
    mark(frame, `path d="${diamond}"`, 0.14),
  );
}

/** The source of a walk that is not drawn. */
export const sourceMark = (frame: Frame, source: number): string => group(ringMark(frame, source));

function ringMark(frame: Frame, node: number): string {
  const { cell, xOf, yOf } = frame;
  const ring = `cx="${short(xOf(node))}" cy="${short(yOf(node))}" r="${short(cell * 0.54)}"`;
  return mark(frame, `circle ${ring}`, 0.14);
}

/** On a halo. */
const mark = ({ theme, cell }: Frame, shape: string, width: number): string =>
  `<${shape} stroke="${theme.halo}" stroke-width="${short(cell * (width + 0.18))}"/>\n` +
  `<${shape} stroke="${theme.trajectory}" stroke-width="${short(cell * width)}"/>\n`;

const group = (...marks: string[]): string =>
  `<g fill="none" stroke-linecap="round" stroke-linejoin="round">\n${marks.join('')}</g>\n`;

/** Two decimals are a hundredth of a pixel. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
