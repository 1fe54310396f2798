/** What changes from frame to frame: attention on nodes and along edges, walks and marks. */
import { stopCross } from '@flowgrad/gridworld';
import { attentionColors, colorLevels, levelOf } from './attention-scale.ts';
import type { AttentionScale, ThemeName } from './attention-scale.ts';
import { addDisc } from './draw-map.ts';
import type { MapLayout } from './map-layout.ts';
import type { Palette } from './palette.ts';
import type { Flow } from './picture.ts';

type Context = CanvasRenderingContext2D;

/** The sum of what was drawn, and of all there was: what is below the scale is not seen. */
export interface Drawn {
  readonly seen: number;
  readonly all: number;
}

/** The more attention a node has, the larger it is: seen in one glance, without colour too. One path for each colour. */
export function drawNodes(
  context: Context,
  amounts: ArrayLike<number>,
  { cell, x, y }: MapLayout,
  scale: AttentionScale,
  theme: ThemeName,
): Drawn {
  const levels: number[][] = Array.from({ length: colorLevels }, () => []);
  let [seen, all] = [0, 0];
  for (let node = 0; node < amounts.length; node++) {
    const amount = amounts[node];
    all += amount;
    const place = amount > 0 ? scale.positionOf(amount) : -1;
    if (place < 0) continue;
    seen += amount;
    levels[levelOf(place)].push(node);
  }
  const colors = attentionColors(theme);
  for (const [level, nodes] of levels.entries()) {
    if (nodes.length === 0) continue;
    const radius = cell * (0.22 + 0.24 * Math.sqrt((level + 0.5) / colorLevels));
    context.beginPath();
    for (const node of nodes) addDisc(context, x[node], y[node], radius);
    context.fillStyle = colors[level];
    context.fill();
  }
  return { seen, all };
}

const flowLevels = 12;

/** Flowing attention as lines that taper towards the receiver; self-loops, which lead nowhere, are left out. */
export function drawFlow(
  context: Context,
  { senders, receivers, amounts }: Flow,
  { cell, x, y }: MapLayout,
  scale: AttentionScale,
  colors: Palette,
): void {
  const levels: number[][] = Array.from({ length: flowLevels }, () => []);
  for (let edge = 0; edge < amounts.length; edge++) {
    if (amounts[edge] === 0 || senders[edge] === receivers[edge]) continue;
    const place = scale.positionOf(amounts[edge]);
    if (place >= 0) levels[Math.min(flowLevels - 1, Math.floor(place * flowLevels))].push(edge);
  }
  context.fillStyle = colors.flow;
  for (const [level, edges] of levels.entries()) {
    if (edges.length === 0) continue;
    const strength = (level + 1) / flowLevels;
    const half = cell * (0.02 + 0.15 * strength);
    context.globalAlpha = 0.12 + 0.68 * strength;
    context.beginPath();
    for (const edge of edges) {
      const [fromX, fromY] = [x[senders[edge]], y[senders[edge]]];
      const [alongX, alongY] = [x[receivers[edge]] - fromX, y[receivers[edge]] - fromY];
      const length = Math.hypot(alongX, alongY);
      const [sideX, sideY] = [(-alongY / length) * half, (alongX / length) * half];
      context.moveTo(fromX + sideX, fromY + sideY);
      context.lineTo(fromX + alongX, fromY + alongY);
      context.lineTo(fromX - sideX, fromY - sideY);
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

/** Walks are moved to a side by this slope, along which no edge runs: so those of any direction come apart. */
const slant = 0.4;

/** Walks beside each other: each a little off the centres, so that those of one way are seen as several. */
export function drawWalks(
  context: Context,
  walks: readonly ArrayLike<number>[],
  { cell, x, y }: MapLayout,
  colors: Palette,
): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = colors.walk;
  context.lineWidth = Math.max(0.75, cell * 0.035);
  context.globalAlpha = 0.85;
  for (const [i, walk] of walks.entries()) {
    const off = ((i - (walks.length - 1) / 2) / Math.max(1, walks.length)) * cell * 0.6;
    context.beginPath();
    for (let t = 0; t < walk.length; t++) context.lineTo(x[walk[t]] + off, y[walk[t]] + slant * off);
    context.stroke();
    const end = walk[walk.length - 1];
    drawDiamond(context, x[end] + off, y[end] + slant * off, cell * 0.16);
  }
  context.globalAlpha = 1;
}

function drawDiamond(context: Context, x: number, y: number, reach: number): void {
  context.beginPath();
  context.moveTo(x, y - reach);
  context.lineTo(x + reach, y);
  context.lineTo(x, y + reach);
  context.lineTo(x - reach, y);
  context.closePath();
  context.stroke();
}

/** A second distribution as rings around nodes, the wider the more. */
export function drawRings(
  context: Context,
  amounts: ArrayLike<number>,
  { cell, x, y }: MapLayout,
  scale: AttentionScale,
  colors: Palette,
): void {
  context.strokeStyle = colors.exact;
  for (let node = 0; node < amounts.length; node++) {
    const place = amounts[node] > 0 ? scale.positionOf(amounts[node]) : -1;
    if (place < 0) continue;
    context.beginPath();
    addDisc(context, x[node], y[node], cell * 0.5);
    context.lineWidth = Math.max(0.75, cell * 0.16 * place);
    context.stroke();
  }
}

/** A cross where attention has stopped for good, 5 % and more of it: the larger the more. */
export function drawStops(
  context: Context,
  stopped: ArrayLike<number>,
  { cell, x, y }: MapLayout,
  { halo, text }: Palette,
): void {
  context.beginPath();
  for (let node = 0; node < stopped.length; node++) {
    const half = cell * 0.4 * stopCross(stopped[node]);
    if (half === 0) continue;
    for (const side of [-1, 1]) {
      context.moveTo(x[node] - half, y[node] - side * half);
      context.lineTo(x[node] + half, y[node] + side * half);
    }
  }
  for (const [style, width] of [
    [halo, cell * 0.26],
    [text, Math.max(1, cell * 0.12)],
  ] as const) {
    context.strokeStyle = style;
    context.lineWidth = width;
    context.stroke();
  }
}

/** The source is a ring with a halo, so that it stands out from any colour. */
export function drawMark(
  context: Context,
  node: number,
  { cell, x, y }: MapLayout,
  color: string,
  halo: string,
): void {
  const radius = Math.max(5, cell * 0.58);
  for (const [style, width] of [
    [halo, 5],
    [color, 2.5],
  ] as const) {
    context.beginPath();
    addDisc(context, x[node], y[node], radius);
    context.strokeStyle = style;
    context.lineWidth = width;
    context.stroke();
  }
}

const labelFont = '600 12px system-ui, sans-serif';
const longestLabel = 40;

/** A name above its node, inside of the picture, with a halo. */
export function drawLabel(
  context: Context,
  name: string,
  node: number,
  { cell, x, y }: MapLayout,
  { halo, text }: Palette,
  width: number,
): void {
  const shown = name.length > longestLabel ? `${name.slice(0, longestLabel - 1)}…` : name;
  context.font = labelFont;
  context.textAlign = 'center';
  const half = context.measureText(shown).width / 2 + 3;
  const above = Math.max(5, cell * 0.58) + 6;
  const centre = Math.min(width - half, Math.max(half, x[node]));
  const isHigh = y[node] - above < 12;
  context.textBaseline = isHigh ? 'top' : 'alphabetic';
  const line = isHigh ? y[node] + above : y[node] - above;
  context.lineJoin = 'round';
  context.strokeStyle = halo;
  context.lineWidth = 4;
  context.strokeText(shown, centre, line);
  context.fillStyle = text;
  context.fillText(shown, centre, line);
}
