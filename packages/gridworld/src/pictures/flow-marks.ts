import { short } from './map-marks.ts';
import type { Frame } from './map-marks.ts';

/** What flows along edges, by edge; one that leads back to its own node is not seen. */
export interface EdgeFlow {
  readonly senders: ArrayLike<number>;
  readonly receivers: ArrayLike<number>;
  /** [edges] of at least 0: flowing attention, the probability of a transition. */
  readonly amounts: ArrayLike<number>;
}

/**
 * A line for each edge that tapers towards its receiver; the more flows, the wider and the less transparent. The
 * strongest lie on top.
 */
export function flowMarks(
  { theme, cell, xOf, yOf }: Frame,
  { senders, receivers, amounts }: EdgeFlow,
  positionOf: (amount: number) => number,
): string {
  const seen: { readonly edge: number; readonly position: number }[] = [];
  for (let edge = 0; edge < amounts.length; edge++) {
    const position = senders[edge] === receivers[edge] ? -1 : positionOf(amounts[edge]);
    if (position >= 0) seen.push({ edge, position });
  }
  if (seen.length === 0) return '';
  seen.sort((a, b) => a.position - b.position);
  const lines = seen.map(({ edge, position }) => {
    const [x, y] = [xOf(senders[edge]), yOf(senders[edge])];
    const [tipX, tipY] = [xOf(receivers[edge]), yOf(receivers[edge])];
    const half = (cell * (0.02 + 0.15 * position)) / Math.hypot(tipX - x, tipY - y);
    const [sideX, sideY] = [(y - tipY) * half, (tipX - x) * half];
    const base = `M${short(x + sideX)} ${short(y + sideY)}`;
    const path = `${base}L${short(tipX)} ${short(tipY)}L${short(x - sideX)} ${short(y - sideY)}z`;
    return `<path d="${path}" fill-opacity="${short(0.12 + 0.68 * position)}"/>\n`;
  });
  return `<g fill="${theme.flow}">\n${lines.join('')}</g>\n`;
}
