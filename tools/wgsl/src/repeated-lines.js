// @ts-check
/** How much of the WGSL is written more than once. */

import { withoutComments } from './imports.js';

/** So many equal lines in a row, in two places, are a repeated block. */
const blockLength = 5;

/**
 * The lines that stand in blocks of five or more equal lines found elsewhere too, in the same file or another. White
 * space does not count, neither how lines are indented nor empty ones, and comments do not.
 *
 * @param {import('./imports.js').Sources} sources
 */
export function repeatedLines(sources) {
  const files = Object.entries(sources).map(([path, code]) => ({ path, lines: linesOf(code) }));
  /** @type {Map<string, { path: string, first: number }[]>} */
  const places = new Map();
  for (const { path, lines } of files) {
    for (let first = 0; first + blockLength <= lines.length; first++) {
      const key = lines
        .slice(first, first + blockLength)
        .map(({ text }) => text)
        .join('\n');
      places.set(key, [...(places.get(key) ?? []), { path, first }]);
    }
  }
  const repeated = new Set(
    [...places.values()]
      .filter(({ length }) => length > 1)
      .flat()
      .flatMap(({ path, first }) => Array.from({ length: blockLength }, (_, i) => `${path} ${first + i}`)),
  );
  const found = files.flatMap(({ path, lines }) =>
    lines.flatMap(({ text, number }, i) =>
      repeated.has(`${path} ${i}`) ? [`${path}:${number}: ${text}`] : [],
    ),
  );
  const all = files.reduce((total, { lines }) => total + lines.length, 0);
  return { found, share: all === 0 ? 0 : found.length / all };
}

/** @param {string} code */
function linesOf(code) {
  return withoutComments(code)
    .split('\n')
    .map((line, i) => ({ text: line.trim().replaceAll(/\s+/g, ' '), number: i + 1 }))
    .filter(({ text }) => text !== '');
}
