/** Settings as text: on a command line, in a link, in a table. */
import { rangeOf, wanted } from './field.ts';
import type { Field, Fields } from './field.ts';

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The value that a text stands for. A text that stands for none is left as it is, for the check to object to. */
export function fromText(field: Field, text: string): unknown {
  switch (field.kind) {
    case 'choice':
      return text;
    case 'switch':
      return text === 'true' || (text === 'false' ? false : text);
    case 'numbers': {
      const words = text.split(',').map((word) => word.trim());
      return words.every((word) => decimal.test(word)) ? words.map(Number) : text;
    }
    default:
      return decimal.test(text) ? Number(text) : text;
  }
}

/** The text that `fromText` reads as the value. */
export const toText = (value: unknown): string => String(value);

/** `learningRates` as it is on a command line: `learning-rates`. */
export const flagName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** `learningRates` as a form calls it, unless its field says otherwise: `Learning rates`. */
export function labelOf(name: string, { label }: Field): string {
  const words = flagName(name).replaceAll('-', ' ');
  return label ?? (name.length === 1 ? name : words.charAt(0).toUpperCase() + words.slice(1));
}

/** Settings as rows of a table in Markdown: name, values, default, meaning. */
export function fieldTable(fields: Fields): string {
  const rows = Object.entries(fields).map(([name, field]) => [
    `\`${name}\``,
    valuesOf(field),
    field.default === undefined ? '' : toText(field.default),
    field.about,
  ]);
  const table = [['Setting', 'Values', 'Default', 'Meaning'], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [table[0], widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
}

/** What `wanted` says, for a table. */
function valuesOf(field: Field): string {
  if (field.kind === 'choice') return field.choices.join(', ');
  if (field.kind === 'seed') return `integer in ${rangeOf(field).join('..')}`;
  return wanted(field).replace(/^to be (an? )?/, '');
}
