/** What a step takes against the size of the graph, both on scales of powers of ten, as SVG. */
import type { ScaleFigures } from './scale.ts';

/** Of a figure, in pixels: what is drawn lies inside of the margins. */
const size = { width: 640, height: 380, left: 64, right: 150, top: 20, bottom: 46 };
const looks = [
  { name: 'geometric, dense', label: 'lattice, all rows', colour: '#b35806' },
  { name: 'geometric', label: 'lattice, cone', colour: '#2166ac' },
  { name: 'random, kept', label: 'random, pruned', colour: '#5aae61' },
];

interface Scale {
  readonly ticks: readonly number[];
  at(this: void, value: number): number;
}

/** Powers of ten around all values, laid out from `from` to `to`. */
function powersOfTen(values: readonly number[], from: number, to: number): Scale {
  const logs = values.map(Math.log10);
  const [low, high] = [Math.floor(Math.min(...logs) + 0.01), Math.ceil(Math.max(...logs) - 0.01)];
  const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return { ticks, at: (value) => from + ((Math.log10(value) - low) / Math.max(high - low, 1)) * (to - from) };
}

const nodesText = (nodes: number): string => nodes.toLocaleString('en');
const timeText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;

export function scaleDrawing(figures: readonly ScaleFigures[]): string {
  const series = looks
    .map((look) => ({ ...look, points: figures.filter(({ name }) => name === look.name) }))
    .filter(({ points }) => points.length > 0);
  const drawn = series.flatMap(({ points }) => points);
  const { width, height, left, right, top, bottom } = size;
  const [end, base] = [width - right, height - bottom];
  const x = powersOfTen(
    drawn.map(({ nodes }) => nodes),
    left,
    end,
  );
  const y = powersOfTen(
    drawn.map(({ shortest }) => shortest),
    base,
    top,
  );
  const text = (at: readonly [number, number], anchor: string, words: string, more = ''): string =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}"${more}>${words}</text>`;
  const line = (from: readonly [number, number], to: readonly [number, number]): string =>
    `<line x1="${from[0].toFixed(1)}" y1="${from[1].toFixed(1)}" x2="${to[0].toFixed(1)}" y2="${to[1].toFixed(1)}"/>`;
  const grid = [
    ...x.ticks.map((tick) => line([x.at(tick), top], [x.at(tick), base])),
    ...y.ticks.map((tick) => line([left, y.at(tick)], [end, y.at(tick)])),
  ];
  const labels = [
    ...x.ticks.map((tick) => text([x.at(tick), base + 18], 'middle', nodesText(tick))),
    ...y.ticks.map((tick) => text([left - 8, y.at(tick) + 4], 'end', timeText(tick))),
    text([(left + end) / 2, height - 8], 'middle', 'nodes of the graph'),
  ];
  const curves = series.map(({ label, colour, points }) => {
    const places = points.map(({ nodes, shortest }) => [x.at(nodes), y.at(shortest)] as const);
    const path = places.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ');
    const dots = places.map(([px, py]) => `<circle cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="3.5"/>`);
    const [lastX, lastY] = places.at(-1)!;
    return (
      `<g stroke="${colour}" fill="${colour}"><polyline fill="none" stroke-width="2" points="${path}"/>${dots.join('')}` +
      `${text([lastX + 10, lastY + 4], 'start', label, ' stroke="none"')}</g>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<title>Time of a training step against the number of nodes</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<g stroke="#dddddd">${grid.join('')}</g>`,
    `<g fill="#444444">${labels.join('')}</g>`,
    ...curves,
    '</svg>',
    '',
  ].join('\n');
}
