import { short } from './map-marks.ts';
import type { Frame } from './map-marks.ts';
import type { ProbabilityScale } from './probability-scale.ts';

const STEPS_BETWEEN_LABELS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const LEGEND_STRIPES = 40;

/** Coordinates along the south and the west border, as many as there is room for. */
export function axisMarks({ map, cell, left, top }: Frame): string {
  const step = STEPS_BETWEEN_LABELS.find((candidate) => candidate * cell >= 28) ?? 512;
  const bottom = top + map.size * cell;
  let labels = '';
  for (let at = 0; at < map.size; at += step) {
    labels += `<text x="${short(left + (at + 0.5) * cell)}" y="${short(bottom + 15)}">${at}</text>\n`;
    const y = short(bottom - (at + 0.5) * cell + 4);
    labels += `<text x="${short(left - 5)}" y="${y}" text-anchor="end">${at}</text>\n`;
  }
  return `<g text-anchor="middle" opacity="0.75">\n${labels}</g>\n`;
}

/** The colours from none to the largest value, with what they stand for. */
export function legendMarks({ map, theme, cell, left, top }: Frame, { ticks }: ProbabilityScale): string {
  const height = Math.min(map.size * cell, 200);
  const x = left + map.size * cell + 14;
  let marks = '';
  for (let stripe = 0; stripe < LEGEND_STRIPES; stripe++) {
    const y = top + height * (1 - (stripe + 1) / LEGEND_STRIPES);
    const color = theme.scale((stripe + 0.5) / LEGEND_STRIPES);
    // A little taller than its share: no hairline between two stripes.
    const tall = short(height / LEGEND_STRIPES + (stripe > 0 ? 0.5 : 0));
    marks += `<rect x="${short(x)}" y="${short(y)}" width="12" height="${tall}" fill="${color}"/>\n`;
  }
  for (const { position, label } of ticks) {
    marks += `<text x="${short(x + 17)}" y="${short(top + height * (1 - position) + 4)}">${label}</text>\n`;
  }
  return marks;
}
