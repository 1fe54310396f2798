import { escapeXml } from '@flowgrad/files';
import { expectOneOf, rejectUnknownOptions } from '@flowgrad/tensor';
import { checkNode } from '../world/world.ts';
import type { GridMap } from '../world/grid-map.ts';
import { flowMarks } from './flow-marks.ts';
import type { EdgeFlow } from './flow-marks.ts';
import { arrowMarks, edgeMarks, nodeMarks, sourceMark, stopMarks, trajectoryMarks } from './map-marks.ts';
import type { Frame } from './map-marks.ts';
import type { NodeArrow } from './latent-arrows.ts';
import { axisMarks, legendMarks } from './picture-frame.ts';
import { probabilityScale } from './probability-scale.ts';
import type { ProbabilityScale, ProbabilityScaleName } from './probability-scale.ts';
import { THEMES } from './theme.ts';
import type { ThemeName } from './theme.ts';

/** What is to be seen on a map. */
export interface MapPictureOptions {
  /** Nodes in the order of the walk; the source is drawn as a ring, the destination as a diamond. */
  readonly trajectory?: ArrayLike<number>;
  /** A node to mark by a ring; the trajectory's, if there is one. */
  readonly source?: number;
  /** For example `latentArrows(world)`. */
  readonly arrows?: readonly NodeArrow[];
  /** [nodes] of at least 0: a probability, an attention. Nodes with next to none are left grey. */
  readonly distribution?: ArrayLike<number>;
  /** [nodes] of 0 … 1: what has stopped for good. A cross where it is 0.05 and more, the larger the more. */
  readonly stopped?: ArrayLike<number>;
  /** Of any edges between nodes of the map; on the scale of the distribution, if there is one. */
  readonly flow?: EdgeFlow;
  /** `log` shows four powers of ten below the largest value. `linear` when left out. */
  readonly scale?: ProbabilityScaleName;
  /** Where the scale ends, so that pictures can be compared; at the largest value when left out. */
  readonly largest?: number;
  readonly theme?: ThemeName;
  /** Pixels between neighbouring nodes; 16 when left out. */
  readonly cell?: number;
  /** Stands above the picture, and is what a screen reader says. */
  readonly title?: string;
}

const OPTIONS = [
  ...['trajectory', 'source', 'arrows', 'distribution', 'stopped', 'flow'],
  ...['scale', 'largest', 'theme', 'cell', 'title'],
];
const TITLE_HEIGHT = 26;
const LEGEND_WIDTH = 74;
const AXIS = 26;
const MARGIN = 10;

/** The map as an SVG document, with whatever is to be seen on it. North is up. */
export function mapSvg(map: GridMap, options: MapPictureOptions = {}): string {
  rejectUnknownOptions('mapSvg', options, OPTIONS);
  const { trajectory = [], arrows = [], distribution, flow, cell = 16, title } = options;
  const { source, largest, stopped } = options;
  const scale = expectOneOf('mapSvg', 'scale', options.scale ?? 'linear', ['linear', 'log']);
  const theme = THEMES[expectOneOf('mapSvg', 'theme', options.theme ?? 'light', ['light', 'dark'])];
  checkOptions(map, options);

  const extent = map.size * cell;
  const top = MARGIN + (title === undefined ? 0 : TITLE_HEIGHT);
  const width = AXIS + extent + MARGIN + (distribution === undefined ? 0 : LEGEND_WIDTH);
  const height = top + extent + AXIS;
  const frame: Frame = {
    map,
    theme,
    cell,
    left: AXIS,
    top,
    // y grows to the north, SVG's to the south.
    xOf: (node) => AXIS + (map.x[node] + 0.5) * cell,
    yOf: (node) => top + (map.size - 0.5 - map.y[node]) * cell,
  };
  // Arrows of the trajectory's own nodes lie on it, the others below.
  const walked = new Set(Array.from(trajectory));
  const arrowsWhere = (onPath: boolean): NodeArrow[] =>
    arrows.filter(({ node }) => walked.has(node) === onPath);
  const scaleOf = (values: ArrayLike<number>): ProbabilityScale => {
    const most = largestOf(values);
    return probabilityScale(scale, { end: largest ?? most });
  };
  const colors = distribution && scaleOf(distribution);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` role="img" font-family="system-ui, sans-serif" font-size="11" fill="${theme.text}">\n`,
    `<title>${escapeXml(title ?? `Grid world, ${map.size} × ${map.size}`)}</title>\n`,
    `<rect width="${width}" height="${height}" fill="${theme.background}"/>\n`,
    title === undefined ? '' : titleMark(title, width - AXIS - MARGIN),
    axisMarks(frame),
    edgeMarks(frame),
    flow === undefined ? '' : flowMarks(frame, flow, (colors ?? scaleOf(flow.amounts)).positionOf),
    nodeMarks(frame, colors && Float64Array.from(distribution, colors.positionOf)),
    arrowMarks(frame, arrowsWhere(false), theme.arrow),
    trajectoryMarks(frame, trajectory),
    source === undefined || trajectory.length > 0 ? '' : sourceMark(frame, source),
    arrowMarks(frame, arrowsWhere(true), theme.text),
    stopped === undefined ? '' : stopMarks(frame, stopped),
    colors === undefined ? '' : legendMarks(frame, colors),
    '</svg>\n',
  ].join('');
}

function largestOf(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    if (!(values[i] >= 0 && values[i] < Infinity)) {
      throw new RangeError(
        `mapSvg: expected distribution[${i}] to be a number of at least 0, got ${values[i]}`,
      );
    }
    largest = Math.max(largest, values[i]);
  }
  return largest;
}

/** A long title is set smaller, so that it fits; a letter is a little wider than half its height. */
function titleMark(title: string, room: number): string {
  const fontSize = Math.max(8, Math.min(14, Math.floor(room / (0.56 * title.length))));
  return `<text x="${AXIS}" y="22" font-size="${fontSize}">${escapeXml(title)}</text>\n`;
}

function checkOptions(
  map: GridMap,
  {
    trajectory = [],
    source,
    arrows = [],
    distribution,
    stopped,
    flow,
    largest,
    cell = 16,
  }: MapPictureOptions,
): void {
  if (!(cell > 0)) throw new RangeError(`mapSvg: expected cell to be a number above 0, got ${cell}`);
  if (largest !== undefined && !(largest > 0 && largest < Infinity)) {
    throw new RangeError(`mapSvg: expected largest to be a number above 0, got ${largest}`);
  }
  if (source !== undefined) checkNode('mapSvg', 'source', map, source);
  for (let i = 0; i < trajectory.length; i++) checkNode('mapSvg', `trajectory[${i}]`, map, trajectory[i]);
  arrows.forEach(({ node }, i) => checkNode('mapSvg', `arrows[${i}].node`, map, node));
  const { nodeCount } = map.graph;
  for (const [name, values] of Object.entries({ distribution, stopped })) {
    if (values === undefined || values.length === nodeCount) continue;
    throw new RangeError(`mapSvg: expected ${name} of length ${nodeCount} (nodes), got ${values.length}`);
  }
  if (flow) checkFlow(map, flow);
}

function checkFlow(map: GridMap, { senders, receivers, amounts }: EdgeFlow): void {
  if (senders.length !== amounts.length || receivers.length !== amounts.length) {
    throw new RangeError(
      `mapSvg: expected flow with senders, receivers and amounts of one length (edges), got ` +
        `${senders.length}, ${receivers.length} and ${amounts.length}`,
    );
  }
  for (let edge = 0; edge < amounts.length; edge++) {
    checkNode('mapSvg', `flow.senders[${edge}]`, map, senders[edge]);
    checkNode('mapSvg', `flow.receivers[${edge}]`, map, receivers[edge]);
    if (!(amounts[edge] >= 0 && amounts[edge] < Infinity)) {
      throw new RangeError(
        `mapSvg: expected flow.amounts[${edge}] to be a number of at least 0, got ${amounts[edge]}`,
      );
    }
  }
}
