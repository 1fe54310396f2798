/** What of a map does not change from frame to frame: edges, nodes without attention, latent directions. */
import type { NodeArrow } from '@flowgrad/gridworld';
import type { MapLayout } from './map-layout.ts';
import type { Palette } from './palette.ts';
import type { Edges } from './picture.ts';

type Context = CanvasRenderingContext2D;

export function drawGround(context: Context, edges: Edges, { cell, x, y }: MapLayout, colors: Palette): void {
  const hasClasses = edges.classes !== undefined;
  context.lineWidth = Math.max(0.5, cell / (hasClasses ? 8 : 16));
  const lines = linesOf(edges, x.length);
  // Where there are many lines to a node, nodes and attention are to be seen through them.
  const count = lines.reduce((sum, { from }) => sum + from.length, 0);
  context.globalAlpha = Math.min(1, Math.max(0.4, (6 * x.length) / count));
  for (const [kind, { from, to }] of lines.entries()) {
    context.beginPath();
    for (let line = 0; line < from.length; line++) {
      context.moveTo(x[from[line]], y[from[line]]);
      context.lineTo(x[to[line]], y[to[line]]);
    }
    context.strokeStyle = hasClasses ? colors.classes[kind] : colors.edge;
    context.stroke();
  }
  context.globalAlpha = 1;

  context.beginPath();
  for (let node = 0; node < x.length; node++) addDisc(context, x[node], y[node], cell * 0.18);
  // A disc that is too small for an outline has its colour: that of larger ones is nearly the background's.
  const hasOutline = cell > 5;
  context.fillStyle = hasOutline ? colors.node : colors.outline;
  context.fill();
  context.strokeStyle = colors.outline;
  context.lineWidth = Math.max(1, cell / 24);
  if (hasOutline) context.stroke();
}

type Lines = Readonly<Record<'from' | 'to', Int32Array>>;
const known = new WeakMap<Int32Array, readonly Lines[]>();

/** The edges that are seen, by class: one and its reverse look the same, and a self-loop leads nowhere. */
function linesOf({ senders, receivers, classes }: Edges, nodeCount: number): readonly Lines[] {
  const made = known.get(senders);
  if (made) return made;
  const pairs: Set<number>[] = [];
  for (let edge = 0; edge < senders.length; edge++) {
    const [sender, receiver] = [senders[edge], receivers[edge]];
    if (sender === receiver) continue;
    const ofClass = (pairs[classes?.[edge] ?? 0] ??= new Set());
    ofClass.add(Math.min(sender, receiver) * nodeCount + Math.max(sender, receiver));
  }
  const lines = Array.from(pairs, (ofClass = new Set()) => ({
    from: Int32Array.from(ofClass, (pair) => Math.floor(pair / nodeCount)),
    to: Int32Array.from(ofClass, (pair) => pair % nodeCount),
  }));
  known.set(senders, lines);
  return lines;
}

export function addDisc(context: Context, x: number, y: number, radius: number): void {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** All arrows have one length: a latent direction matters by its angle alone. One of zero length is left out. */
export function drawArrows(
  context: Context,
  arrows: readonly NodeArrow[],
  { cell, x, y }: MapLayout,
  colors: Palette,
): void {
  context.beginPath();
  for (const { node, dx, dy } of arrows) {
    const norm = Math.hypot(dx, dy);
    if (norm === 0) continue;
    const [ux, uy] = [(dx / norm) * cell, (-dy / norm) * cell];
    const [tipX, tipY] = [x[node] + 0.4 * ux, y[node] + 0.4 * uy];
    context.moveTo(x[node] - 0.4 * ux, y[node] - 0.4 * uy);
    context.lineTo(tipX, tipY);
    context.moveTo(tipX - 0.26 * ux + 0.15 * uy, tipY - 0.26 * uy - 0.15 * ux);
    context.lineTo(tipX, tipY);
    context.lineTo(tipX - 0.26 * ux - 0.15 * uy, tipY - 0.26 * uy + 0.15 * ux);
  }
  context.strokeStyle = colors.arrow;
  context.lineWidth = Math.max(0.5, cell * 0.07);
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.stroke();
}
