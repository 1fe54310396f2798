/** A small line chart on a canvas: one or two curves, and a line that they cannot pass. */
import type { ThemeName } from './attention-scale.ts';
import { axisRange, axisTicks, thin } from './curve-points.ts';
import type { Points } from './curve-points.ts';
import { palettes } from './palette.ts';

export interface Chart {
  /** One for each run. */
  readonly curves: readonly Points[];
  /** Drawn across, with a label. */
  readonly ceiling?: { readonly value: number; readonly label: string };
  /** Whether the vertical axis begins at 0. */
  readonly fromZero?: boolean;
  /** Said where no curve has a point. */
  readonly empty: string;
  readonly theme: ThemeName;
}

const margin = { left: 40, right: 8, top: 8, bottom: 18 };

export function drawChart(
  canvas: HTMLCanvasElement,
  { curves, ceiling, fromZero = false, empty, theme }: Chart,
): void {
  const context = canvas.getContext('2d')!;
  const ratio = globalThis.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (width === 0) return;
  const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const colors = palettes[theme];

  const all = curves.flat();
  const values = [...all.map(([, y]) => y), ...(ceiling ? [ceiling.value] : [])];
  const [least, most] = axisRange(values, fromZero);
  const last = all.reduce((end, [x]) => Math.max(end, x), 1);
  const yTicks = axisTicks(least, most, 4);
  const [bottom, top] = [Math.min(least, yTicks[0]), Math.max(most, yTicks[yTicks.length - 1])];
  const xOf = (x: number): number => margin.left + (x / last) * (width - margin.left - margin.right);
  const yOf = (y: number): number =>
    height - margin.bottom - ((y - bottom) / (top - bottom || 1)) * (height - margin.top - margin.bottom);

  context.font = '11px system-ui, sans-serif';
  context.fillStyle = colors.faint;
  context.strokeStyle = colors.edge;
  context.lineWidth = 1;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const tick of yTicks) {
    line(context, [
      [margin.left, yOf(tick)],
      [width - margin.right, yOf(tick)],
    ]);
    context.fillText(String(tick), margin.left - 6, yOf(tick));
  }
  context.textAlign = 'center';
  for (const tick of axisTicks(0, last, 4).filter((each) => each <= last && Number.isInteger(each))) {
    context.fillText(String(tick), Math.min(xOf(tick), width - 14), height - 7);
  }
  if (all.length === 0) context.fillText(empty, (margin.left + width) / 2, yOf((bottom + top) / 2) - 10);
  if (ceiling) {
    context.setLineDash([6, 4]);
    context.strokeStyle = colors.ceiling;
    context.lineWidth = 1.5;
    line(context, [
      [margin.left, yOf(ceiling.value)],
      [width - margin.right, yOf(ceiling.value)],
    ]);
    context.textAlign = 'right';
    context.fillText(ceiling.label, width - margin.right - 2, yOf(ceiling.value) + 9);
  }
  for (const [run, points] of curves.entries()) {
    // Not by colour alone.
    context.setLineDash(run === 0 ? [] : [4, 2]);
    context.strokeStyle = colors.runs[run];
    context.fillStyle = colors.runs[run];
    context.lineWidth = 1.75;
    context.lineJoin = 'round';
    const drawn = thin(points, width).map(([x, y]) => [xOf(x), yOf(y)] as const);
    line(context, drawn);
    const end = drawn.at(-1);
    if (end) {
      context.beginPath();
      context.arc(end[0], end[1], 2.5, 0, 2 * Math.PI);
      context.fill();
    }
  }
  context.setLineDash([]);
}

function line(context: CanvasRenderingContext2D, points: Points): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}
