/** Edges as arrows that bend. */
import type { AttendedPart } from '../../run/run-record.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';

/** Where a node lies, and how large it is. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** All edges from one node to another, as one line. */
export interface Line {
  readonly from: number;
  readonly to: number;
  readonly flow: number;
  readonly types: readonly string[];
}

export const tenth = (value: number): number => Math.round(value * 10) / 10;
export function linesOf({ edges }: AttendedPart): Line[] {
  const byEnds = new Map<string, Line>();
  for (const { from, to, type, flow } of edges) {
    const before = byEnds.get(`${from} ${to}`);
    byEnds.set(`${from} ${to}`, {
      from,
      to,
      flow: (before?.flow ?? 0) + flow,
      types: [...(before?.types ?? []), type],
    });
  }
  return [...byEnds.values()];
}

/** A curve that bends to its left, so that both directions between two nodes are seen, and its middle. */
export function curveOf(spots: readonly Spot[], { from, to }: Pick<Line, 'from' | 'to'>) {
  const [a, b] = [spots[from], spots[to]];
  const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const bend = 0.1;
  const control = {
    x: (a.x + b.x) / 2 + bend * (b.y - a.y),
    y: (a.y + b.y) / 2 - bend * (b.x - a.x),
  };
  const at = (t: number): { x: number; y: number } => ({
    x: (1 - t) ** 2 * a.x + 2 * t * (1 - t) * control.x + t ** 2 * b.x,
    y: (1 - t) ** 2 * a.y + 2 * t * (1 - t) * control.y + t ** 2 * b.y,
  });
  return { a, b, control, distance, at };
}

/** From border to border of the nodes, wider where more flows. */
export function arrow(spots: readonly Spot[], line: Line, isOnWay: boolean): Markup {
  const { a, b, control, distance, at } = curveOf(spots, line);
  const strength = Math.sqrt(Math.min(1, line.flow));
  const stroke = tenth((isOnWay ? 1.6 : 0.8) + 5 * strength);
  const opacity = isOnWay ? 0.9 : Math.round(100 * (0.25 + 0.6 * strength)) / 100;
  const head = 4 + stroke;
  const start = at(Math.min(0.45, a.radius / distance));
  const end = at(1 - Math.min(0.45, (b.radius + head) / distance));
  const tip = at(1 - Math.min(0.4, (b.radius + 1) / distance));
  const length = Math.hypot(tip.x - end.x, tip.y - end.y) || 1;
  const [ux, uy] = [(tip.x - end.x) / length, (tip.y - end.y) / length];
  const half = head / 2;
  const point = (x: number, y: number): string => `${tenth(x)} ${tenth(y)}`;
  return markup`<path class="shaft" stroke-width="${stroke}" opacity="${opacity}" d="M${point(start.x, start.y)}Q${point(control.x, control.y)} ${point(end.x, end.y)}"/><path class="head" opacity="${opacity}" d="M${point(tip.x, tip.y)}L${point(end.x - half * uy, end.y + half * ux)}L${point(end.x + half * uy, end.y - half * ux)}z"/>`;
}
