/** The picture of an attended part as a file by itself. */
import type { AttendedPart } from '../../run/run-record.ts';
import { markup, Markup } from '../markup.ts';
import { lightFills } from './attention-scale.ts';
import { graphMarks, height, width } from './graph-figure.ts';
import { fonts, fontSize, graphStyle } from './graph-style.ts';
import { partNote, wayNote } from './part-notes.ts';

const light = { text: '#1f2430', muted: '#626b7c', paper: '#ffffff', cell: '#eceef2', walk: '#c8324a' };

/** A picture by itself, always light, under a title and what is known of the answer. */
export function graphSvg(part: AttendedPart, title: string): string {
  const way = wayNote(part);
  const notes = [title, partNote(part), ...(way === undefined ? [] : [`likeliest way: ${way}`])];
  const lines = notes.flatMap((note) => wrapped(note, 85));
  const top = 18 * lines.length + 8;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top + height}" viewBox="0 0 ${width} ${top + height}" class="graph" font-size="${fontSize}" font-family="${fonts}"><title>${title}</title>
<style>${new Markup(graphStyle(light) + lightFills)}</style>
<rect width="${width}" height="${top + height}" fill="${light.paper}"/>
${lines.map((line, i) => markup`<text class="name" x="12" y="${20 + 18 * i}">${line}</text>\n`)}<g transform="translate(0 ${top})">${graphMarks(part)}</g></svg>\n`
    .text;
}

/** Lines of words, of about that many characters at most. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
