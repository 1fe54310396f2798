// @ts-check
/** Joins a shader with what it imports: plain WGSL for the device, and where each of its lines was written. */
import { link } from 'wesl';
import { moduleOf } from './imports.js';

/**
 * `lines` has three numbers for each run of lines that were written one after the other: how many they are, the file
 * they come from (0 is the shader, 1 the first of `imports`) and the first one's number in it.
 *
 * @typedef {{ code: string, imports: string[], lines: number[] }} LinkedShader
 * @typedef {{ file: string, line: number }} Place
 */

/**
 * Comments, indentation and empty lines stay behind: what is shipped is small.
 *
 * @param {string} path of the shader
 * @param {import('./imports.js').Sources} sources
 * @returns {Promise<LinkedShader>}
 */
export async function linkShader(path, sources) {
  const paths = new Map(Object.keys(sources).map((file) => [moduleOf(file), file]));
  const { dest, sourceMap } = await linked(path, sources, paths);
  /** @type {string[]} */
  const kept = [];
  /** @type {Place[]} */
  const places = [];
  let start = 0;
  for (const text of dest.split('\n')) {
    if (text.trim() !== '') {
      const before = places.at(-1) ?? { file: path, line: 1 };
      kept.push(text.trim());
      places.push(nextLine(text, before, sources) ?? placeOf(text, start, sourceMap, paths) ?? before);
    }
    start += text.length + 1;
  }
  return { code: `${kept.join('\n')}\n`, ...runsOf(path, places) };
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

/**
 * @param {string} path of the shader
 * @param {readonly Place[]} places
 */
function runsOf(path, places) {
  const files = [...new Set([path, ...places.map(({ file }) => file)])];
  /** @type {number[]} */
  const lines = [];
  places.forEach(({ file, line }, i) => {
    const before = places[i - 1];
    if (before?.file === file && before.line + 1 === line) lines[lines.length - 3] += 1;
    else lines.push(1, files.indexOf(file), line);
  });
  return { imports: files.slice(1), lines };
}
