/** Where the texts of a picture may stand, the best place first. */
import { curveOf } from './graph-lines.ts';
import type { Line, Spot } from './graph-lines.ts';
import { fontSize } from './graph-style.ts';
import type { Box } from './place-labels.ts';

/** Pictures have no room for more. */
export const short = (text: string): string => {
  const letters = Array.from(text);
  return letters.length <= 22 ? text : `${letters.slice(0, 21).join('')}…`;
};

/** Where a text may stand. How wide it really is depends on the font, so the end that is next to its node is fixed. */
export interface TextPlace extends Box {
  readonly anchor: 'start' | 'middle' | 'end';
}

/** The size of a text is guessed from its length. */
export type PlacesOf = (text: string) => TextPlace[];
const sizeOf = (text: string): Pick<Box, 'width' | 'height'> => ({
  width: 0.6 * fontSize * Array.from(text).length + 4,
  height: fontSize + 2,
});

/** To the right first, then around. */
export const besideNode =
  ({ x, y, radius }: Spot): PlacesOf =>
  (text) => {
    const size = sizeOf(text);
    const [dx, dy] = [radius + 6 + size.width / 2, radius + 5 + size.height / 2];
    const offsets = [
      [dx, 0],
      [-dx, 0],
      [0, -dy],
      [0, dy],
      [dx, -0.8 * size.height],
      [dx, 0.8 * size.height],
      [-dx, -0.8 * size.height],
      [-dx, 0.8 * size.height],
      [dx / 2, -dy],
      [-dx / 2, -dy],
      [dx / 2, dy],
      [-dx / 2, dy],
    ];
    return offsets.map(([ox, oy]) => ({
      x: x + ox,
      y: y + oy,
      ...size,
      anchor: ox === dx ? 'start' : ox === -dx ? 'end' : 'middle',
    }));
  };

/** In the middle first, then nearer to the ends. */
export const alongLine =
  (spots: readonly Spot[], line: Line): PlacesOf =>
  (text) =>
    [0.5, 0.42, 0.58, 0.34, 0.66].map((t) => ({
      ...curveOf(spots, line).at(t),
      ...sizeOf(text),
      anchor: 'middle',
    }));
