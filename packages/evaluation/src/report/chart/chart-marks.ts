/** What is drawn between the axes of a chart. */
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Scale } from './scale.ts';
import { dashOf, lookClass, markerPath, tenth } from './series-look.ts';
import { spreadLabels } from './spread-labels.ts';

/** One line of a chart. */
export interface ChartLine {
  readonly name: string;
  /** The same number is the same colour, marker and dash in every chart. */
  readonly look: number;
  /** By rising x. A y that is not finite leaves a gap. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** A band around the line. */
  readonly spread?: readonly (readonly [x: number, low: number, high: number])[];
}

/** A horizontal line at a value, with its label, such as a ceiling. */
export interface ChartLevel {
  readonly label: string;
  readonly value: number;
}

/** A mean and its standard deviation, drawn as a whisker beside the lines. */
export interface ChartEstimate {
  readonly name: string;
  readonly look: number;
  readonly mean: number;
  readonly deviation: number;
}

/** Where things lie on the picture. */
export interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly width: number;
  /** The room for estimates, right of the lines. */
  readonly gutter: number;
  readonly lineHeight: number;
  readonly x: Scale;
  readonly y: Scale;
}

/** Markers are few: they name the line, and would hide it otherwise. */
const markersPerLine = 5;
const allMarkersUpTo = 9;

export function lineMarks({ x, y }: Plot, { name, look, points, spread = [] }: ChartLine): Markup {
  const at = (px: number, py: number): string => `${tenth(x.positionOf(px))} ${tenth(y.positionOf(py))}`;
  const through = (places: readonly string[]): string => `M${places.join('L')}`;
  const pieces = piecesOf(points);
  const lines = pieces.filter(({ length }) => length > 1).map((piece) => through(piece.map((p) => at(...p))));
  const band = spread.filter(([, low, high]) => Number.isFinite(low) && Number.isFinite(high));
  const outline = [
    ...band.map(([px, , high]) => at(px, high)),
    ...band.toReversed().map(([px, low]) => at(px, low)),
  ];
  const shown = pieces.flat();
  const every = shown.length <= allMarkersUpTo ? 1 : Math.ceil(shown.length / markersPerLine);
  const alone = new Set(pieces.filter(({ length }) => length === 1).flat());
  const isMarked = (point: readonly [number, number], i: number): boolean =>
    // Each look begins elsewhere, so that lines which run together show their markers in turn.
    i === shown.length - 1 || i % every === Math.floor((every * (look % 5)) / 5) || alone.has(point);
  const markers = shown
    .filter(isMarked)
    .map(([px, py]) => markerPath(look, x.positionOf(px), y.positionOf(py), 3.2));
  return markup`<g class="${lookClass(look)}"><title>${name}</title>
${band.length > 1 && markup`<path class="band" d="${through(outline)}Z"/>`}
<path class="line" stroke-dasharray="${dashOf(look)}" d="${lines}"/>
<path class="marker" d="${markers}"/></g>
`;
}

/** The stretches of points without a gap between them. */
function piecesOf(points: ChartLine['points']): (readonly [number, number])[][] {
  const pieces: (readonly [number, number])[][] = [[]];
  for (const point of points) {
    if (Number.isFinite(point[1])) pieces.at(-1)!.push(point);
    else if (pieces.at(-1)!.length > 0) pieces.push([]);
  }
  return pieces.filter(({ length }) => length > 0);
}

/** Each label above its line, or as close to it as the others allow. */
export function levelMarks(plot: Plot, levels: readonly ChartLevel[]): Markup {
  const { left, right, top, bottom, gutter, y } = plot;
  const positions = levels.map(({ value }) => y.positionOf(value));
  const lines = positions.map((at) => `M${tenth(left)} ${tenth(at)}H${tenth(right + gutter)}`);
  const wanted = positions.map((at) => at - 5);
  const places = spreadLabels(wanted, plot.lineHeight, [top - 5, bottom]);
  const labels = levels.map(
    ({ label }, i) =>
      markup`<text class="level" x="${tenth(left + 6)}" y="${tenth(places[i])}">${label}</text>`,
  );
  return markup`<path class="level" d="${lines}"/>${labels}`;
}

/** Side by side, so that none hides another. */
export function estimateMarks(plot: Plot, estimates: readonly ChartEstimate[], label: string): Markup {
  if (estimates.length === 0) return markup``;
  const { right, top, bottom, gutter, y } = plot;
  const apart = (gutter - 8) / estimates.length;
  const marks = estimates.map(({ name, look, mean, deviation }, i) => {
    const x = right + 6 + (i + 0.5) * apart;
    const [low, high] = [y.positionOf(mean - deviation), y.positionOf(mean + deviation)];
    return markup`<g class="${lookClass(look)}"><title>${name}</title>
<path class="bar" d="M${tenth(x)} ${tenth(low)}V${tenth(high)}"/>
<path class="estimate" d="${markerPath(look, x, y.positionOf(mean), 3)}"/></g>
`;
  });
  const [x, width] = [tenth(right + 3), tenth(gutter - 3)];
  return markup`<rect class="gutter" x="${x}" y="${top}" width="${width}" height="${tenth(bottom - top)}"/>
${marks}<text class="gutter" text-anchor="middle" x="${tenth(right + gutter / 2 + 1)}" y="${bottom + 34}">${label}</text>`;
}

/** The names, each beside where its line ends, in the order of the ends. */
export function labelMarks(plot: Plot, lines: readonly ChartLine[]): Markup {
  const { right, top, bottom, gutter, lineHeight, y } = plot;
  const ended = lines.flatMap((line) => {
    const last = line.points.findLast(([, value]) => Number.isFinite(value));
    return last ? [{ ...line, wanted: y.positionOf(last[1]) }] : [];
  });
  const wanted = ended.map((line) => line.wanted);
  const places = spreadLabels(wanted, lineHeight, [top, bottom - 2]);
  const x = right + gutter + 10;
  const labels = ended.map((line, i) => labelMark(line, line.name, x, places[i]));
  return markup`<g class="labels">${labels}</g>`;
}

/** The names in rows from `first` on. One that is longer than `longest` letters is cut, and whole as a title. */
export function legendMarks(
  { lineHeight }: Plot,
  lines: readonly ChartLine[],
  first: number,
  longest: number,
): Markup {
  const labels = lines.map((line, i) => {
    const { name } = line;
    const short = name.length > longest ? `${name.slice(0, longest - 1)}…` : name;
    return labelMark(line, short, 8, first + i * lineHeight);
  });
  return markup`<g class="labels">${labels}</g>`;
}

function labelMark({ name, look }: ChartLine, text: string, x: number, y: number): Markup {
  return markup`<g class="${lookClass(look)}">${text !== name && markup`<title>${name}</title>`}<path class="marker" d="${markerPath(look, x, y, 3.2)}"/>
<text x="${tenth(x + 8)}" y="${tenth(y + 4)}">${text}</text></g>
`;
}
