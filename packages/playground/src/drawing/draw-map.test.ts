import { expect, it } from 'vitest';
import { drawGround } from './draw-map.ts';
import type { MapLayout } from './map-layout.ts';
import { palettes } from './palette.ts';

/** Of WCAG 2: from 1, the same, to 21, black on white. */
function contrast(a: string, b: string): number {
  const luminance = (color: string): number => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const share = parseInt(color.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [less, more] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (more + 0.05) / (less + 0.05);
}

/** The colours in which discs are filled and outlined, in turn. */
function discColors(cell: number): string[] {
  const drawn: string[] = [];
  const context = {
    ...{ fillStyle: '', strokeStyle: '', globalAlpha: 1, lineWidth: 1 },
    beginPath: () => undefined,
    moveTo: () => undefined,
    arc: () => undefined,
    fill: () => drawn.push(context.fillStyle),
    stroke: () => drawn.push(context.strokeStyle),
  };
  const edges = { senders: new Int32Array(), receivers: new Int32Array() };
  const layout = { cell, x: Float32Array.of(1), y: Float32Array.of(1) } as unknown as MapLayout;
  drawGround(context as unknown as CanvasRenderingContext2D, edges, layout, palettes.dark);
  return drawn;
}

it.for([4, 20])('in dark colours nodes without attention stand out, cells of %i px', (cell) => {
  const { background } = palettes.dark;
  const most = Math.max(...discColors(cell).map((color) => contrast(color, background)));
  expect(most).toBeGreaterThanOrEqual(3);
});
