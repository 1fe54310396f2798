/** A line chart as SVG. Its colours come from `chartStyle`, so that it follows the page from light to dark. */
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { estimateMarks, labelMarks, legendMarks, levelMarks, lineMarks } from './chart-marks.ts';
import type { ChartEstimate, ChartLevel, ChartLine, Plot } from './chart-marks.ts';
import { linearScale } from './scale.ts';
import { tenth } from './series-look.ts';

/**
 * What a chart shows beside its lines: titles, what its axes include, levels, estimates, and its size in pixels.
 */
export interface LineChartOptions {
  /** What is on the y axis, and its unit: `Hits@1 on test`, `%`. */
  readonly title: string;
  readonly unit?: string;
  readonly xLabel: string;
  /** Values that the x axis shows even without points there; `[0, 50]` for fifty epochs. */
  readonly xIncludes?: readonly number[];
  /** The same for the y axis: `[0]` lets it begin at 0, and two charts with the same values can be compared. */
  readonly yIncludes?: readonly number[];
  /** Horizontal lines, such as a ceiling. */
  readonly levels?: readonly ChartLevel[];
  /** Means with deviations, right of the lines: numbers from elsewhere. */
  readonly estimates?: readonly ChartEstimate[];
  /** What stands below them. */
  readonly estimatesLabel?: string;
  readonly formatY?: (value: number) => string;
  readonly width?: number;
  readonly height?: number;
}

const top = 34;
const bottom = 40;
const lineHeight = 14;
/** About the width of a letter at the font's size. */
const letter = 6.1;
/** Names up to this stand beside the ends of their lines. If one is longer, all stand below the chart, each in a row of its own. */
const longestLabel = 24;

/**
 * Lines over a common x axis as an SVG element, with levels and estimates where they are given. Colours come from
 * `chartStyle`.
 */
export function lineChart(lines: readonly ChartLine[], options: LineChartOptions): string {
  const { title, unit, xLabel, xIncludes = [], yIncludes = [], levels = [], estimates = [] } = options;
  const { width = 440, height = 272, formatY = String, estimatesLabel = '' } = options;
  const longest = Math.max(0, ...lines.map(({ name }) => name.length));
  const isBelow = longest > longestLabel;
  const letters = isBelow ? 0 : longest;
  const legend = isBelow ? lineHeight * lines.length + 6 : 0;
  const gutter = estimates.length === 0 ? 0 : Math.min(64, 14 + 9 * estimates.length);
  const ys = [
    ...lines.flatMap(({ points, spread = [] }) => [
      ...points.map(([, y]) => y),
      ...spread.flatMap(([, low, high]) => [low, high]),
    ]),
    ...levels.map(({ value }) => value),
    ...estimates.flatMap(({ mean, deviation }) => [mean - deviation, mean + deviation]),
    ...yIncludes,
  ];
  const y = linearScale(ys, [height - bottom, top], { isNice: true });
  const left = 14 + 6.4 * Math.max(...y.ticks.map((tick) => formatY(tick).length));
  // Half of the last number below the axis may be right of it.
  const right = width - 8 - (letters === 0 ? 8 : 16 + letter * letters) - gutter;
  const xs = [...lines.flatMap(({ points }) => points.map(([x]) => x)), ...xIncludes];
  const x = linearScale(xs, [left, right], { ticks: Math.round((right - left) / 50), isWhole: true });
  const plot: Plot = { left, right, top, bottom: height - bottom, width, gutter, x, y, lineHeight };
  const unitMark = unit !== undefined && markup` <tspan class="unit">(${unit})</tspan>`;
  const all = height + legend;
  return markup`<svg class="chart" viewBox="0 0 ${width} ${all}" width="${width}" height="${all}" role="img">
<title>${title}: ${lines.map(({ name }) => name).join(', ')}</title>
<text class="title" x="2" y="14">${title}${unitMark}</text>
${axisMarks(plot, xLabel, formatY)}
${levelMarks(plot, levels)}
${lines.map((line) => lineMarks(plot, line))}
${estimateMarks(plot, estimates, estimatesLabel)}
${isBelow ? legendMarks(plot, lines, height + 8, Math.floor((width - 24) / letter)) : labelMarks(plot, lines)}
</svg>
`.text;
}

function axisMarks(plot: Plot, xLabel: string, formatY: (y: number) => string): Markup {
  const { left, right, bottom: base, gutter, x, y } = plot;
  const at = (tick: number): string => tenth(y.positionOf(tick));
  const grid = y.ticks.map((tick) => `M${tenth(left)} ${at(tick)}H${tenth(right + gutter)}`);
  const ticks = x.ticks.map((tick) => `M${tenth(x.positionOf(tick))} ${base}v4`);
  const yLabels = y.ticks.map(
    (tick) =>
      markup`<text x="${tenth(left - 6)}" y="${tenth(y.positionOf(tick) + 4)}">${formatY(tick)}</text>`,
  );
  const xLabels = x.ticks.map(
    (tick) => markup`<text x="${tenth(x.positionOf(tick))}" y="${base + 17}">${tick}</text>`,
  );
  return markup`<path class="grid" d="${grid}"/>
<path class="axis" d="M${tenth(left)} ${base}H${tenth(right)}${ticks}"/>
<g class="ticks" text-anchor="end">${yLabels}</g>
<g class="ticks" text-anchor="middle">${xLabels}<text x="${tenth((left + right) / 2)}" y="${base + 34}">${xLabel}</text></g>`;
}
