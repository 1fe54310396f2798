/** The attended part of a graph as a picture: nodes by attention, edges by flow, and the likeliest way to the answer. */
import { aspect } from '../../run/attended-part.ts';
import type { AttendedPart } from '../../run/run-record.ts';
import { markup } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { levelOf } from './attention-scale.ts';
import { alongLine, besideNode, short } from './graph-labels.ts';
import { arrow, linesOf, tenth } from './graph-lines.ts';
import type { Line, Spot } from './graph-lines.ts';
import { fonts, fontSize } from './graph-style.ts';
import { share } from './part-notes.ts';
import { placeLabels } from './place-labels.ts';

export const width = 720;
export const height = width / aspect;
/** Room for names at the border. */
const [marginX, marginY] = [64, 30];

/** A picture for a page that has `graphStyle` and `attentionStyle`. */
export function graphFigure(part: AttendedPart, title: string): Markup {
  return markup`<svg class="graph" viewBox="0 0 ${width} ${height}" font-size="${fontSize}" font-family="${fonts}" role="img"><title>${title}</title>${graphMarks(part)}</svg>`;
}

export function graphMarks(part: AttendedPart): Markup {
  const spots = part.nodes.map(({ x, y, attention }): Spot => ({
    x: tenth(marginX + x * (width - 2 * marginX)),
    y: tenth(marginY + (1 - y) * (height - 2 * marginY)),
    radius: tenth(4 + 9 * Math.sqrt(Math.min(1, attention))),
  }));
  const way = part.way?.nodes ?? [];
  const wayLines = way.slice(1).map((to, i): Line => {
    const from = way[i];
    return { from, to, flow: 0, types: [part.way!.types[i]] };
  });
  const isOnWay = ({ from, to }: Line): boolean =>
    wayLines.some((line) => line.from === from && line.to === to);
  const lines = linesOf(part).sort((a, b) => Number(isOnWay(a)) - Number(isOnWay(b)) || a.flow - b.flow);
  const texts = [
    ...wayLines.map((line) => ({ kind: 'type', text: short(line.types[0]), places: alongLine(spots, line) })),
    ...part.nodes.map(({ name }, i) => ({ kind: 'name', text: short(name), places: besideNode(spots[i]) })),
  ];
  const boxes = placeLabels(
    texts.map(({ text, places }) => places(text)),
    spots.map(({ x, y, radius }) => ({ x, y, width: 2 * radius, height: 2 * radius })),
    { x: width / 2, y: height / 2, width, height },
  );
  return markup`<g class="lines">${lines.map(
    (line) =>
      markup`<g class="${isOnWay(line) ? 'line way' : 'line'}"><title>${nameOf(part, line.from)} → ${nameOf(part, line.to)}: ${line.types.join(', ')} (${share(line.flow)})</title>${arrow(spots, line, isOnWay(line))}</g>\n`,
  )}</g>
${spots.map((spot, i) => nodeMark(part, spot, i))}${boxes.map((box, i) => {
    const { kind, text } = texts[i];
    return markup`<text class="${kind}" x="${tenth(box.x + anchorShift[box.anchor] * (box.width - 4))}" y="${tenth(box.y + 0.35 * fontSize)}" text-anchor="${box.anchor}">${text}</text>\n`;
  })}`;
}

/** From the middle of a text to its fixed point, in its widths. */
const anchorShift = { start: -0.5, middle: 0, end: 0.5 } as const;

const nameOf = ({ nodes }: AttendedPart, place: number): string => nodes[place].name;
function nodeMark(part: AttendedPart, { x, y, radius }: Spot, place: number): Markup {
  const { name, attention } = part.nodes[place];
  const level = levelOf(attention);
  const [ring, half] = [tenth(radius + 3.5), tenth(radius + 7)];
  return markup`<g><title>${name}: ${share(attention)}</title><circle class="${level < 0 ? 'faint' : `attention-${level}`}" cx="${x}" cy="${y}" r="${radius}"/>${
    place === 0 && markup`<circle class="end" cx="${x}" cy="${y}" r="${ring}"/>`
  }${
    place === part.destination &&
    markup`<path class="end" d="M${x} ${tenth(y - half)}l${half} ${half}l-${half} ${half}l-${half} -${half}z"/>`
  }</g>\n`;
}
