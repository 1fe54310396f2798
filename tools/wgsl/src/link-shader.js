// @ts-check
/** Joins a shader with what it imports: plain WGSL for the device, and where each of its lines was written. */
import { link } from 'wesl';
import { moduleOf } from './imports.js';

/**
 * Lines that were written one after the other in a file, from `line` on: the text has as many lines, so that each is
 * found again.
 *
 * @typedef {{ file: string, line: number, text: string }} Piece
 * @typedef {{ file: string, line: number }} Place
 */

/**
 * The shader's own file, then each declaration that it imports. Comments and indentation stay behind, for what is
 * shipped is small; their lines stay, empty, where others follow.
 *
 * @param {string} path of the shader
 * @param {import('./imports.js').Sources} sources
 * @returns {Promise<Piece[]>}
 */
export async function linkShader(path, sources) {
  const paths = new Map(Object.keys(sources).map((file) => [moduleOf(file), file]));
  const { dest, sourceMap } = await linked(path, sources, paths);
  const own = { file: path, line: 1, text: '' };
  const pieces = [own];
  let place = { file: path, line: 1 };
  let start = 0;
  let depth = 0;
  for (const line of dest.split('\n')) {
    const text = line.trim();
    if (text !== '') {
      const follows = depth > 0 ? nextLine(text, place, sources) : undefined;
      place = follows ?? placeOf(line, start, sourceMap, paths) ?? place;
      if (place.file !== path && depth === 0) pieces.push({ ...place, text: '' });
      add(place.file === path ? own : pieces[pieces.length - 1], text, place.line);
      depth += text.split('{').length - text.split('}').length;
    }
    start += line.length + 1;
  }
  return pieces.map((piece) => ({ ...piece, text: `${piece.text}\n` }));
}

/**
 * Puts text where it was written: what the linker spread over several lines is one again.
 *
 * @param {Piece} piece
 * @param {string} text
 * @param {number} line
 */
function add(piece, text, line) {
  const missing = line - piece.line - (piece.text.split('\n').length - 1);
  const gap = missing > 0 ? '\n'.repeat(missing) : piece.text === '' || piece.text.endsWith('\n') ? '' : ' ';
  piece.text += gap + text;
}

/**
 * @param {string} path
 * @param {import('./imports.js').Sources} sources
 * @param {ReadonlyMap<string, string>} paths by module
 */
async function linked(path, sources, paths) {
  const weslSrc = Object.fromEntries(Object.entries(sources).map(([file, code]) => [moduleOf(file), code]));
  try {
    return await link({ weslSrc, rootModuleName: moduleOf(path), keepComments: false });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(message.replaceAll(/\.\/([\w/]+)\.wesl/g, (_, module) => pathOf(module, paths)));
  }
}

/**
 * The linker calls every file .wesl.
 *
 * @param {string} module
 * @param {ReadonlyMap<string, string>} paths
 */
function pathOf(module, paths) {
  const name = `${module.replace(/^\.\//, '').replace(/\.wesl$/, '')}.wgsl`;
  return paths.get(name) ?? name;
}

/**
 * The line after the one before, if that is how it was written.
 *
 * @param {string} text
 * @param {Place} before
 * @param {import('./imports.js').Sources} sources
 */
function nextLine(text, { file, line }, sources) {
  const follows = sources[file].split('\n')[line]?.trim() === text.trim();
  return follows ? { file, line: line + 1 } : undefined;
}

/**
 * Where a line was written. The linker knows the place of each name; what lies between them it only guesses.
 *
 * @param {string} text
 * @param {number} start of the line in the linked text
 * @param {import('wesl').LinkedWesl['sourceMap']} sourceMap
 * @param {ReadonlyMap<string, string>} paths
 * @returns {Place | undefined}
 */
function placeOf(text, start, sourceMap, paths) {
  for (const { 0: word, index } of text.matchAll(/\w+/g)) {
    const { src, position } = sourceMap.destToSrc(start + index);
    if (src.path === undefined || !src.text.startsWith(word, position)) continue;
    return { file: pathOf(src.path, paths), line: src.text.slice(0, position).split('\n').length };
  }
  return undefined;
}
